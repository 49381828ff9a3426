import { type CheckContext, fc, hash32 } from '../checks.ts';

/** A fid without its unique part, and what follows the address of its mailbox. */
export interface CallbackForm {
  /** `digits` looks like a number, with zeros in front; `integer` without. */
  readonly kind: 'text' | 'digits' | 'integer';
  readonly before: string;
  readonly after: string;
  readonly below: string;
}

/** What is easily altered in transit: zeros, white space, letter case, length, characters beyond ASCII, and escapes in URLs. */
export const callbackForms = namedForms([
  { kind: 'digits', before: '000', after: '', below: '' },
  { kind: 'integer', before: '', after: '', below: '/changes' },
  { kind: 'text', before: ' two  ', after: ' ', below: '/changes/' },
  { kind: 'text', before: 'Cafe\u0301 ', after: ' 北京 \u{1F6EB}', below: '/changes?x=1&y=a%20b&x=2' },
  { kind: 'text', before: 'Caf\u00e9-', after: '', below: '/ch%C3%A4nges?u=https%3A%2F%2Fexample.com%2F' },
  { kind: 'text', before: 'ABC/def?x=1&y=#"\\', after: '', below: '/a-b_c.d~e?' },
  { kind: 'text', before: '', after: 'F'.repeat(180), below: '?only=query' },
  // An address longer than the 255 characters of many a column.
  { kind: 'text', before: 'long', after: '', below: `/${'changes-'.repeat(40)}?q=${'0123456789'.repeat(8)}` },
]);

function namedForms(forms: readonly CallbackForm[]) {
  const nameOf = ({ before, after, below }: CallbackForm) =>
    JSON.stringify([before, after.slice(0, 12), below.slice(0, 60)]);
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
    kind: fc.constantFrom<CallbackForm['kind']>('text', 'text', 'text', 'digits', 'integer'),
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
  if (kind === 'text') return `${before}${token}${after}`;
  return kind === 'digits' ? `000${hash32(token)}` : `1${hash32(token)}`;
}
