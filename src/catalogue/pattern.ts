/** Whether an id or tag matches a pattern of `--only`: `*` stands for any characters, case is ignored. */
export function matches(pattern: string, idOrTag: string): boolean {
  const source = pattern.split('*').map(escapeRegExp).join('.*');
  return new RegExp(`^${source}$`, 'is').test(idOrTag);
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}/-]/g, String.raw`\$&`);
}
