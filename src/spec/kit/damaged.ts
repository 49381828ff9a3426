const entities: Readonly<Record<string, string>> = { amp: '&', apos: "'", lt: '<', gt: '>', quot: '"' };
const entity = /&(?:#(\d+)|#x([\da-f]+)|(amp|apos|lt|gt|quot));/gi;
const escape = /\\u([\da-f]{4})/gi;
const beyondAscii = /[^\0-\x7f]/gu;

/** Whether one text is another after a program confused its encoding, or escaped it for a page or a program text. */
export function isDamaged(got: string, want: string): boolean {
  if (got === want) return false;
  const bytes = Buffer.from(want, 'utf8');
  return (
    [
      bytes.toString('latin1'),
      new TextDecoder('windows-1252').decode(bytes),
      ...['?', '\ufffd'].map((mark) => want.replace(beyondAscii, mark)),
    ].includes(got) ||
    [withoutEntities(got), withoutEscapes(got)].some((plain) => plain !== got && plain === want)
  );
}

function withoutEntities(text: string): string {
  return text.replace(entity, (all: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? '';
    const point = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
    return point > 0x10_ff_ff ? all : String.fromCodePoint(point);
  });
}

function withoutEscapes(text: string): string {
  return text.replace(escape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
