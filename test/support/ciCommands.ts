/**
 * The lines that a CI service takes for commands, read as the services read them: the runner of GitHub ends a line at each
 * `\r` and `\n`, trims it, and takes `::name …::` at its beginning and `##[name …]` anywhere; Azure and TeamCity look anywhere.
 */
export function commandsIn(output: string): readonly string[] {
  return output.split(/\r\n|\r|\n/).filter((line) => {
    const start = line.replace(/^[\s\u0085]+/, '');
    return start.startsWith('::') || /##(?:vso|teamcity)?\[/i.test(line);
  });
}
