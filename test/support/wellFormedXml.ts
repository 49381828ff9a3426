const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const tag = /<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/y;
const text = /(?:[^<&>]|&(?:amp|lt|gt|quot|#\d+);)+/y;

/** The names of all elements of an XML text in order; throws where it is not well-formed. Knows what Gatecheck writes only. */
export function elementsOf(xml: string): string[] {
  if (forbidden.test(xml)) throw new Error('a character that XML forbids');
  const names: string[] = [];
  const open: string[] = [];
  let at = /^<\?xml [^>]*\?>\n/.exec(xml)?.[0].length ?? 0;
  while (at < xml.length) {
    tag.lastIndex = text.lastIndex = at;
    const [, close, name = '', attributes = '', empty] = tag.exec(xml) ?? [];
    if (name === '') {
      if (text.exec(xml) === null) throw new Error(`not well-formed at ${xml.slice(at, at + 60)}`);
      at = text.lastIndex;
      continue;
    }
    if (/&(?!(?:amp|lt|gt|quot|#\d+);)/.test(attributes)) throw new Error(`bad entity in ${attributes}`);
    at = tag.lastIndex;
    if (close && open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    if (!close) names.push(name);
    if (!close && !empty) open.push(name);
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`);
  return names;
}
