const fence = /^ *(`{3,})\w*$/;

/** What a Markdown reader takes for markup: the text without code blocks, code spans and escaped characters. */
export function proseOf(markdown: string): string {
  return withoutSpans(withoutBlocks(markdown));
}

function withoutBlocks(markdown: string): string {
  let closing: string | undefined;
  const kept = markdown.split('\n').filter((line) => {
    const opening = fence.exec(line)?.[1];
    if (closing === undefined && opening === undefined) return true;
    closing = closing === undefined ? opening : line.trim() === closing ? undefined : closing;
    return false;
  });
  return kept.join('\n');
}

function withoutSpans(text: string): string {
  // Whichever comes first: an escaped character, a span between equal runs of backticks, or any character.
  const token = /\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(?:[^`]|(?!(?<!`)\1(?!`))`)*?(?<!`)\1(?!`)|[\s\S]/g;
  return [...text.matchAll(token)].map(([one]) => (one.length === 1 ? one : '')).join('');
}
