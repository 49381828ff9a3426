import { expect, test } from 'vitest';
import type { Delivery } from '../core/evidence.ts';
import { Mailbox } from './mailbox.ts';
import { describeAnswer, answerStatus } from './script.ts';

const delivery = (id: string, bytes = 2) => ({ id, body: new Uint8Array(bytes) }) as unknown as Delivery;
const next = (mailbox: Mailbox, count: number) =>
  Array.from({ length: count }, () => describeAnswer(mailbox.nextAnswer()));

test('a mailbox accepts everything unless it is told otherwise', () => {
  expect(next(new Mailbox('token'), 2)).toEqual(['200', '200']);
});

test('a new script begins with the next delivery', () => {
  const mailbox = new Mailbox('token', [answerStatus(503), answerStatus(200)]);
  const before = next(mailbox, 1);
  mailbox.answerWith([answerStatus(404), answerStatus(202)]);
  expect([...before, ...next(mailbox, 3)]).toEqual(['503', '404', '202', '202']);
});

test('deliveries are kept in the order of arrival, and beyond a thousand only counted', () => {
  const mailbox = new Mailbox('token');
  for (let index = 0; index < 1_003; index += 1) mailbox.keep(delivery(`c${index}`), true);
  expect(mailbox.count).toBe(1_003);
  expect(mailbox.deliveries).toHaveLength(1_000);
  expect([mailbox.deliveries[0]?.id, mailbox.deliveries.at(-1)?.id]).toEqual(['c0', 'c999']);
});

test('of long deliveries fewer are kept', () => {
  const mailbox = new Mailbox('token');
  for (let index = 0; index < 100; index += 1) mailbox.keep(delivery(`c${index}`, 64 * 1024), true);
  expect([mailbox.count, mailbox.deliveries.length]).toEqual([100, 64]);
});

test('a delivery that was not taken counts as refused until it comes again and is taken', () => {
  const mailbox = new Mailbox('token');
  const of = (body: string) => ({ id: body, body: Buffer.from(body) }) as unknown as Delivery;
  mailbox.keep(of('one'), false);
  mailbox.keep(of('one'), false);
  mailbox.keep(of('two'), false);
  expect(mailbox.refused).toBe(2);
  mailbox.keep(of('three'), true);
  mailbox.keep(of('one'), true);
  expect(mailbox.refused).toBe(1);
});
