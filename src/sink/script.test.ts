import { expect, test } from 'vitest';
import { answerStatus } from '../receive/script.ts';
import { renderScript, scriptForm } from './script.ts';

test.each([
  ['200', [answerStatus(200)], '200'],
  ['503x3, 200', [answerStatus(503), answerStatus(503), answerStatus(503), answerStatus(200)], '503x3,200'],
  ['200+2s', [answerStatus(200, { delayMs: 2000 })], '200+2000ms'],
  ['302=/next', [answerStatus(302, { location: '/next' })], '302=/next'],
  [
    '307+10ms=https://sink.example.com/a',
    [answerStatus(307, { delayMs: 10, location: 'https://sink.example.com/a' })],
    null,
  ],
  ['silence,reset,close-early', [{ kind: 'silence' }, { kind: 'reset' }, { kind: 'close-early' }], null],
])('the script %s is read', (text, expected, rendered) => {
  const script = scriptForm.parse(text);
  expect(script).toEqual(expected);
  const back = renderScript(script);
  expect(scriptForm.parse(back)).toEqual(script);
  if (rendered !== null) expect(back).toBe(rendered);
});

test.each(['', '99', '600', '100', '503x0', '503x', '200+', '200+2', '302=', '302=/a b', 'quiet', '200,,'])(
  'the script %j is refused',
  (text) => {
    expect(() => scriptForm.parse(text)).toThrow(/503x3,200/);
  },
);
