import { type CheckContext, fc, hash32 } from '../checks.ts';

/** A fid without its unique part, and what follows the address of its mailbox. */
export interface CallbackForm {
  /** What it looks like. */
  readonly kind: 'text' | keyof typeof lookalikes;
  readonly before: string;
  readonly after: string;
  readonly below: string;
  /** Whether it may be refused for what the documents do not limit. */
  readonly isExtreme?: true;
}

/** An address with what is easily lost: escapes of escapes, empty and repeated parameters, a plus sign. */
export const oddAddress = '/a%2520b//c%252Fd?b=2&a=1&b=1&flag&empty=&x=%2541&p=a+b&Case=Mixed';

const padded = (number: number, length: number) => String(number).padStart(length, '0');
const dayOf = (number: number) =>
  [1_000 + (number % 9_000), 1 + (number % 12), 1 + (number % 28)].map((part) => padded(part, 2)).join('-');

/** Texts that are taken for something else, each made from a number of 32 bits. */
const lookalikes = {
  digits: (number: number) => `000${number}`,
  integer: (number: number) => `1${number}`,
  // More digits than a number of 64 bits keeps.
  long: (number: number) => `9${padded(number, 10)}00000000001`,
  decimal: (number: number) => `${number}.50`,
  exponent: (number: number) => `${number}e3`,
  date: dayOf,
  timestamp: (number: number) =>
    `${dayOf(number)}T${padded(number % 24, 2)}:${padded(number % 60, 2)}:${padded(number % 59, 2)}Z`,
  uuid: (number: number) =>
    `${number.toString(16).padStart(8, '0')}-ab12-4cd3-8ef4-0123456789ab`.toUpperCase(),
};
const kinds = Object.keys(lookalikes) as readonly (keyof typeof lookalikes)[];

/** What is easily altered in transit: zeros, white space, letter case, length, characters beyond ASCII, and escapes in URLs. */
export const callbackForms = namedForms([
  { kind: 'digits', before: '000', after: '', below: '' },
  { kind: 'integer', before: '', after: '', below: '/changes' },
  { kind: 'text', before: ' two  ', after: ' ', below: '/changes/' },
  { kind: 'text', before: 'Cafe\u0301 ', after: ' 北京 \u{1F6EB}', below: '/changes?x=1&y=a%20b&x=2' },
  { kind: 'text', before: 'Caf\u00e9-', after: '', below: '/ch%C3%A4nges?u=https%3A%2F%2Fexample.com%2F' },
  // What templates replace, and what a replacement means.
  { kind: 'text', before: 'ABC/def?x=1&y=#"\\', after: '$$1$&%s{0}{{x}}${y}', below: '/a-b_c.d~e?' },
  { kind: 'text', before: '', after: 'F'.repeat(180), below: '?only=query' },
  // An address longer than the 255 characters of many a column, and a fid of more bytes than characters.
  {
    kind: 'text',
    before: 'long',
    after: '',
    below: `/${'changes-'.repeat(40)}?q=${'0123456789'.repeat(8)}`,
    isExtreme: true,
  },
  { kind: 'text', before: '\u00e9'.repeat(120), after: '\u{1F6EB}'.repeat(20), below: '', isExtreme: true },
  // Characters that are not seen; whether those that control anything are allowed is not said.
  { kind: 'text', before: 'zero\u200bwidth\u200d', after: '', below: '' },
  { kind: 'text', before: 'tab\tand\u0007', after: '', below: '', isExtreme: true },
  { kind: 'text', before: '%41%20&#65;&amp;+', after: '', below: oddAddress },
  ...(['long', 'decimal', 'exponent', 'date', 'timestamp', 'uuid'] as const).map((kind) => ({
    ...{ kind, before: '', after: '', below: '' },
  })),
]);

function namedForms(forms: readonly CallbackForm[]) {
  const nameOf = ({ kind, before, after, below }: CallbackForm) =>
    JSON.stringify([
      ...(kind === 'text' ? [] : [kind]),
      before.slice(0, 20),
      after.slice(0, 12),
      below.slice(0, 60),
    ]);
  return forms.map((form) => ({ name: nameOf(form), ...form }));
}

const piece = fc.oneof(
  fc.string({
    unit: fc.constantFrom('0', 'a', 'Z', ' ', '-', '"', '\\', '/', '%', '+', '<', '&'),
    maxLength: 12,
  }),
  fc.string({
    unit: fc.constantFrom('é', 'e\u0301', 'ß', 'İ', '北', 'ع', '\u{1F6EB}', '\u00a0', '0'),
    maxLength: 8,
  }),
);

/** Any allowed fid and address. */
export const anyCallbackForm: fc.Arbitrary<CallbackForm> = fc.record(
  {
    kind: fc.oneof(
      { weight: 2, arbitrary: fc.constant('text' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...kinds) },
    ),
    before: piece,
    after: piece,
    below: fc
      .tuple(
        fc.constantFrom('', '/', '/cb', '/cb/a-b_c.d~e/', '/cb/%C3%A9', '/cb/%E5%8C%97'),
        fc.constantFrom('', '?x=1', '?x=1&y=a%20b', '?u=https%3A%2F%2Fexample.com%2F', '?a&b=&c=%2B'),
      )
      .map(([path, query]) => `${path}${query}`),
  },
  { noNullPrototype: true },
);

/** A fid of this form that is unique in the run: one fid may serve only one leg (FLA-OPN-017). */
export function fidOf({ identities }: CheckContext, { kind, before, after }: CallbackForm): string {
  const token = identities.token();
  return kind === 'text' ? `${before}${token}${after}` : lookalikes[kind](hash32(token));
}
