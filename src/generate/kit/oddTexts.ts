/** A text on which stores, files, queries and pages break. */
export interface OddText {
  readonly name: string;
  readonly text: string;
}

export const oddTexts: readonly OddText[] = [
  { name: 'a NUL', text: 'gatecheck\0nobody' },
  { name: 'half a surrogate pair', text: 'gatecheck\ud83d' },
  { name: '300 characters', text: 'n'.repeat(300) },
  { name: '5,000 characters', text: 'n'.repeat(5_000) },
  { name: 'a quote', text: "' OR '1'='1" },
  { name: 'a path', text: '../../gatecheck' },
  { name: 'a template', text: '${gatecheck}{{7*7}}<b>' },
  { name: 'an emoji', text: 'gatecheck\u{1f600}' },
  { name: 'a percent sign', text: '%' },
  { name: 'a line end', text: 'gatecheck\r\nnobody' },
];
