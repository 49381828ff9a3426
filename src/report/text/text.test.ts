import { describe, expect, it, test } from 'vitest';
import { formatDuration, formatShare, plural } from './format.ts';
import { code, escapeMarkdown, fenced } from './markdown.ts';
import { oneLine, printable, shorten } from './printable.ts';
import { escapeAttribute, escapeText } from './xml.ts';

test.for([
  ['tab\tand\nline stay', 'tab\tand\nline stay'],
  ['\u0000\u001b[31m', '\\u0000\\u001b[31m'],
  ['\ud800 \udfff \ud83d\ude00', '\\ud800 \\udfff \ud83d\ude00'],
  ['\u202eabc\u2028\ufeff', '\\u202eabc\\u2028\\ufeff'],
  ['naïve 漢 é', 'naïve 漢 é'],
] as const)('printable(%j) is %j', ([text, shown]) => {
  expect(printable(text)).toBe(shown);
});

test('oneLine shows where lines ended', () => {
  expect(oneLine('a\r\nb\rc\nd\te')).toBe('a⏎b⏎c⏎d e');
});

describe('shorten', () => {
  it('leaves alone what fits and says how much there was else', () => {
    expect(shorten('abc', 3)).toBe('abc');
    expect(shorten('a'.repeat(100), 3)).toBe('aaa… (100 characters in all)');
  });

  it('cuts nothing that is shorter than the note about it', () => {
    expect(shorten('a'.repeat(27), 3)).toBe('a'.repeat(27));
  });

  it('never cuts a surrogate pair in two', () => {
    expect(shorten(`ab\ud83d\ude00${'c'.repeat(96)}`, 3)).toBe('ab… (100 characters in all)');
  });
});

test.for([
  [0, '0 ms'],
  [999, '999 ms'],
  [1234, '1.2 s'],
  [59_949, '59.9 s'],
  [59_999, '1 min'],
  [132_000, '2 min 12 s'],
  [3_600_000, '1 h'],
  [3_720_000, '1 h 2 min'],
] as const)('%d ms is %s', ([ms, text]) => {
  expect(formatDuration(ms)).toBe(text);
});

test('a share is 100 % only of all, and nothing of nothing', () => {
  expect([formatShare(999, 1000), formatShare(5, 5), formatShare(0, 0)]).toEqual(['99 %', '100 %', '–']);
  expect([plural(1, 'must'), plural(0, 'must')]).toEqual(['1 must', '0 musts']);
});

test('a fence is longer than any run of backticks inside', () => {
  expect(fenced('a ```` b', 'sh')).toBe('`````sh\na ```` b\n`````');
  expect([code('a'), code('a`b'), code('`a'), code('')]).toEqual(['`a`', '``a`b``', '`` `a ``', '`  `']);
});

test('Markdown keeps words readable and marks harmless', () => {
  expect(escapeMarkdown('sub_status: *a* <b> | _x_ https://e')).toBe(
    'sub_status: \\*a\\* \\<b\\> \\| \\_x\\_ https\\://e',
  );
});

test('XML text and attributes are escaped', () => {
  expect(escapeText('<a b="c">&\'\u0000')).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;\\u0000');
  expect(escapeAttribute('a\nb\tc')).toBe('a&#10;b&#9;c');
});
