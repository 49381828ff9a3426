/**
 * What CI services take for a command: a line that begins with `::`, behind blanks (GitHub), and `##[`, `##vso[` and
 * `##teamcity[` anywhere in a line (GitHub, Azure, TeamCity).
 */
const command = /(?<=^|[\r\n])[^\S\r\n\u0085]*(?:\u0085[^\S\r\n\u0085]*)*::|##(?:vso|teamcity)?\[/gi;

/** The same text, in which nothing is a command: the last character of what begins one is written as a code, as in `:\u003aerror::`. */
export function withoutCommands(text: string): string {
  return createCommandBreaker()(text);
}

/** The same for text that comes in pieces, of which none need end with its line. */
export function createCommandBreaker(): (piece: string) => string {
  let begun = '';
  return (piece) => {
    const text = begun + piece;
    let broken = '';
    let done = begun.length;
    for (const { 0: prefix, index } of text.matchAll(command)) {
      const last = index + prefix.length - 1;
      if (last < done) continue;
      broken += `${text.slice(done, last)}\\u00${text.charCodeAt(last).toString(16)}`;
      done = last + 1;
    }
    begun = endOf(text);
    return broken + text.slice(done);
  };
}

/** As much of the last line as may begin a command. */
function endOf(text: string): string {
  const line = text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
  if (/^[\s\u0085]*:?$/.test(line)) return line.trim();
  return `x${line.slice(-longest)}`;
}

const longest = '##teamcity'.length;
