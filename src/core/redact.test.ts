import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from './redact.ts';

function redactorOf(...secrets: readonly string[]): Redactor {
  const redactor = new Redactor();
  secrets.forEach((secret, index) => redactor.add(secret, `key ${index + 1}`));
  return redactor;
}

const secret = 'gk/live+"ü 7\\x\n&🛫';
const json = JSON.stringify(secret).slice(1, -1);
const escapedWhole = [...Array(secret.length).keys()]
  .map((index) => String.raw`\u${secret.charCodeAt(index).toString(16).padStart(4, '0')}`)
  .map((unit, index) => (/[a-z0-9]/.test(secret.charAt(index)) ? secret.charAt(index) : unit))
  .join('');

test.each([
  ['plain', secret],
  ['in JSON', json],
  ['in JSON within JSON', JSON.stringify(json).slice(1, -1)],
  ['in JSON within JSON within JSON', JSON.stringify(JSON.stringify(json).slice(1, -1)).slice(1, -1)],
  ['in JSON with escaped slashes, as PHP writes it', json.replaceAll('/', String.raw`\/`)],
  ['in JSON that is all ASCII, as Python writes it', escapedWhole],
  [
    'the same in capitals, as .NET writes it',
    escapedWhole.replace(/u(\w{4})/g, (u) => `u${u.slice(1).toUpperCase()}`),
  ],
  ['in a URL', encodeURIComponent(secret)],
  ['in a URL, in small letters', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['in a URL within a URL', encodeURIComponent(encodeURIComponent(secret))],
  ['in a form', new URLSearchParams([['a', secret]]).toString().slice(2)],
  ['as UTF-8 that was read as Latin-1', Buffer.from(secret).toString('latin1')],
])('a secret is found %s', (_where, spelled) => {
  expect(redactorOf(secret).redact(`before ${spelled} after`)).toBe('before ‹key 1› after');
});

test.each([0, 1, 2, 3])(
  'a secret is found in the base64 of a text, %i characters from its start',
  (offset) => {
    const key = 'gk_live_0123456789abcdef';
    const text = Buffer.from(`${'u'.repeat(offset)}${key}:rest`).toString('base64');
    expect(redactorOf(key).redact(text)).toContain('‹key 1›');
    expect(redactorOf(key).redact(Buffer.from(key).toString('base64url'))).toMatch(/^‹key 1›[\w-]?$/);
  },
);

test.each<[what: string, secrets: string[], text: string, redacted: string]>([
  ['the longer of two with one beginning', ['abcd', 'abcdefgh'], 'x abcdefgh y', 'x ‹key 2› y'],
  ['a secret inside another, known later', ['abcdefgh', 'cdef'], 'x abcdefgh y', 'x ‹key 1› y'],
  ['two that overlap, as one', ['abcdef', 'defghi'], 'x abcdefghi y', 'x ‹key 1› y'],
  ['two that touch, as two', ['abcdef', 'ghijkl'], 'abcdefghijkl', '‹key 1›‹key 2›'],
  ['a repeated one, each time', ['abab'], 'ababab abab', '‹key 1› ‹key 1›'],
  ['a secret that is part of a label', ['key', 'secret-2'], 'secret-2', '‹key 2›'],
  [
    'characters that mean something in expressions',
    ['a.c(d)*[e]$^|'],
    'abc(d) a.c(d)*[e]$^|',
    'abc(d) ‹key 1›',
  ],
  ['nothing for an empty secret', [''], 'text', 'text'],
])('redacts %s', (_what, secrets, text, redacted) => {
  expect(redactorOf(...secrets).redact(text)).toBe(redacted);
});

describe('a key of which any characters are needlessly written as codes', () => {
  const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
  const spellings: readonly ((code: number) => string)[] = [
    (code) => String.fromCharCode(code),
    (code) => `%${hex(code, 2)}`,
    (code) => `%25${hex(code, 2)}`,
    (code) => String.raw`\u${hex(code, 4)}`,
    (code) => String.raw`\\u${hex(code, 4)}`,
    (code) => String.raw`\x${hex(code, 2)}`,
    (code) => `&#${code};`,
    (code) => `&#x${hex(code, 2)};`,
  ];

  test.each([
    'gk_live_RyHd3mqjPoVQA4fMVTywrlrw',
    'gk+live+aB3+dE5/gH7.jK9=',
    'a-b-c.short~key',
    'gk_live_Ab12',
  ])('%s', (key) => {
    const redactor = new Redactor();
    redactor.guard(key, 'k');
    const spelled = fc.tuple(...Array.from(key, () => fc.constantFrom(...spellings)));
    fc.assert(
      fc.property(spelled, (spell) => {
        const echoed = spell.map((one, index) => one(key.charCodeAt(index))).join('');
        expect(redactor.redact(`{"a":"${echoed}"}`)).toBe('{"a":"‹k›"}');
      }),
    );
  });
});

test('a secret keeps its first label', () => {
  const redactor = redactorOf('abcdefgh');
  redactor.add('abcdefgh', 'other');
  expect(redactor.redact('abcdefgh')).toBe('‹key 1›');
});

test('many secrets that come one by one cost little', () => {
  const redactor = new Redactor();
  const started = performance.now();
  for (let index = 0; index < 2000; index += 1) {
    redactor.add(`gatecheck-${index.toString(36).padStart(10, '-')}`, `key ${index}`);
    redactor.redact('a line of evidence '.repeat(20));
  }
  expect(redactor.redact('gatecheck-x----------')).toBe('gatecheck-x----------');
  expect(redactor.redact('gatecheck----------1')).toBe('‹key 1›');
  expect(performance.now() - started).toBeLessThan(5000);
});

test('fingerprints tell equal secrets from different ones, and differ from run to run', () => {
  const [one, two] = [new Redactor(), new Redactor()];
  expect(one.fingerprint('a')).toBe(one.fingerprint('a'));
  expect(one.fingerprint('a')).not.toBe(one.fingerprint('b'));
  expect(one.fingerprint('a')).not.toBe(two.fingerprint('a'));
});

describe('whatever the secrets are', () => {
  const anySecret = fc.oneof(
    fc.string({ minLength: 4, maxLength: 40 }),
    fc.string({ unit: 'binary', minLength: 4, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('a', 'b', '"', '\\', '/', '%', ' ', 'é'),
      minLength: 4,
      maxLength: 12,
    }),
    // Long enough for the search to start with this run.
    fc
      .tuple(
        fc.string({ maxLength: 4 }),
        fc.stringMatching(/^[A-Za-z0-9]{12,30}$/),
        fc.string({ maxLength: 4 }),
      )
      .map((parts) => parts.join('')),
  );

  test('none stands in base64 that is recorded, wherever it begins there', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w/+ -]{16,40}$/), fc.nat(5), (secret, offset) => {
        const redactor = redactorOf(secret);
        const [bare, whole] = ['', secret].map((one) =>
          Buffer.from(`${'u'.repeat(offset)}${one}${'v'.repeat(8)}`).toString('base64'),
        );
        expect(redactor.redact(bare ?? '')).toBe(bare);
        expect(redactor.redact(`a text, ${whole ?? ''}`)).toContain('‹key 1›');
      }),
    );
  });

  test('no line of evidence holds one of them', () => {
    const bodies = fc.array(fc.oneof({ arbitrary: fc.nat(3), weight: 2 }, fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(anySecret, { minLength: 1, maxLength: 4 }), bodies, (secrets, pieces) => {
        const redactor = redactorOf(...secrets);
        const text = pieces
          .map((piece) => (typeof piece === 'number' ? (secrets[piece] ?? '') : piece))
          .join('');
        const body = JSON.stringify({ note: text });
        const line = redactor.redact(
          JSON.stringify({ url: encodeURIComponent(text.toWellFormed()), text, body }),
        );
        for (const one of secrets) for (const form of formsOf(one)) expect(line).not.toContain(form);
      }),
      { numRuns: 1000 },
    );
  });

  function formsOf(one: string): readonly string[] {
    const quoted = JSON.stringify(one).slice(1, -1);
    // What a label or the rest of the line contains anyway is not a leaked secret.
    return [one, quoted, JSON.stringify(quoted).slice(1, -1), encodeURIComponent(one.toWellFormed())].filter(
      (form) =>
        !'{"url":"","text":"","body":"{\\"note\\":\\"\\"}"}‹key 1›‹key 2›‹key 3›‹key 4›'.includes(form),
    );
  }
});

test('a megabyte of backslashes is searched in time that grows with its length', () => {
  const redactor = new Redactor();
  redactor.add('gk_live_1234567890abcdef', 'key primary#1');
  const text = `${'\\'.repeat(1 << 20)} gk_live_1234567890abcdef`;
  const started = performance.now();
  expect(redactor.redact(text).endsWith(' ‹key primary#1›')).toBe(true);
  expect(performance.now() - started).toBeLessThan(10_000);
});

const times = (one: string, count: number) => one.repeat(count);

test.each<[what: string, secret: string, text: string, redacted: string]>([
  ['of one letter', times('a', 2000), times('a', 800_000), '‹key 1›'],
  ['of two letters', times('ab', 1000), `b${times('ab', 400_000)}a`, 'b‹key 1›a'],
  ['that begins like everything', `${times('a', 1999)}b`, times('a', 800_000), times('a', 800_000)],
  [
    'that nearly is there',
    times('a', 2000),
    times(`${times('a', 1999)}b`, 400),
    times(`${times('a', 1999)}b`, 400),
  ],
  [
    'of forty letters',
    times('a', 40),
    `${times('a', 200_000)} ${times('a', 39)}`,
    `‹key 1› ${times('a', 39)}`,
  ],
  ['of backslashes', times('\\', 60), JSON.stringify(times('\\', 60)), '"‹key 1›"'],
  ['of backslashes, not there', `${times('\\', 40)}x`, times('\\', 800_000), times('\\', 800_000)],
  ['of backslashes in a row', times('\\"', 30), JSON.stringify({ a: times('\\"', 30) }), '{"a":"‹key 1›"}'],
])('a secret %s is looked for in time that grows with the text', (_what, secret, text, redacted) => {
  const redactor = redactorOf(secret);
  const started = performance.now();
  expect(redactor.redact(text) === redacted).toBe(true);
  expect(performance.now() - started).toBeLessThan(4000);
});

test.each([2_049, 60_000, 1 << 20])('a secret of %i characters goes, also where JSON has it', (length) => {
  const redactor = new Redactor();
  const secret = `"${'h'.repeat(length - 1)}`;
  redactor.add(secret, 'callback key');
  const shown = redactor.redact(`${secret}${secret} ${JSON.stringify({ secret })} ${'h'.repeat(length - 1)}`);
  expect(shown).toBe(`‹callback key›‹callback key› {"secret":"‹callback key›"} ${'h'.repeat(length - 1)}`);
});
