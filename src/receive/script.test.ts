import { expect, test } from 'vitest';
import { accepting, answerAt, describeAnswer, isAcceptance, answerStatus, type Script } from './script.ts';

test('the last answer of a script is the answer to all that follow', () => {
  const script: Script = [answerStatus(503), answerStatus(404), answerStatus(204)];
  const answers = [0, 1, 2, 3, 99].map((index) => describeAnswer(answerAt(script, index)));
  expect(answers).toEqual(['503', '404', '204', '204', '204']);
  expect(answerAt(accepting, 7)).toEqual({ kind: 'status', status: 200 });
});

test.each([
  { answer: answerStatus(200), text: '200' },
  { answer: answerStatus(503, { delayMs: 2000 }), text: '503 after 2000 ms' },
  { answer: answerStatus(200, { delayMs: 0 }), text: '200' },
  { answer: { kind: 'silence' } as const, text: 'silence' },
  { answer: { kind: 'close-early' } as const, text: 'close-early' },
])('the evidence calls an answer $text', ({ answer, text }) => {
  expect(describeAnswer(answer)).toBe(text);
});

test.each([
  { answer: answerStatus(200), taken: true },
  { answer: answerStatus(299), taken: true },
  { answer: answerStatus(199), taken: false },
  { answer: answerStatus(300), taken: false },
  { answer: answerStatus(404), taken: false },
  { answer: { kind: 'reset' } as const, taken: false },
])('$answer takes a delivery: $taken', ({ answer, taken }) => {
  expect(isAcceptance(answer)).toBe(taken);
});

test('a redirect says where to', () => {
  const answer = answerStatus(307, { location: 'https://sink.example.com/b' });
  expect(answer).toMatchObject({ status: 307, headers: [['location', 'https://sink.example.com/b']] });
});
