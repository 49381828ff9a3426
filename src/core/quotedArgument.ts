/** A word of a command line, in quotes where a shell would take it apart. */
export function quotedArgument(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
