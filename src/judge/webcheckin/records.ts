import type { Exchange } from '../../core/evidence.ts';
import { isRejectedMessage } from '../kernel/answer.ts';
import { isDocumented, isObject, onceForAnswers, readAnswer, type JsonObject } from '../kernel/body.ts';
import { noSamples, type Sample } from '../kernel/sample.ts';

/** A check-in record as one answer showed it. */
export interface ShownRecord {
  /** Which of the four operations showed it; they differ in the members that they document. */
  readonly by: 'subscribe' | 'update' | 'status' | 'list';
  /** Its place in the body, such as `data[3]`; empty for the body itself. */
  readonly at: string;
  readonly record: JsonObject;
  /** The same with the types in which its members came. */
  readonly untyped: JsonObject;
}

/** Judges all records that an answer shows; `judge` adds to a list, since long lists are read often. */
export function ofRecords(
  exchange: Exchange,
  judge: (shown: ShownRecord, samples: Sample[]) => void,
): readonly Sample[] {
  const records = shownRecords(exchange);
  if (records.length === 0) return noSamples;
  const samples: Sample[] = [];
  for (const shown of records) judge(shown, samples);
  return samples;
}

const none: readonly ShownRecord[] = Object.freeze([]);

/** The check-in records that a successful answer shows. A rejected journey shows none. */
export function shownRecords(exchange: Exchange): readonly ShownRecord[] {
  if (!isDocumented(exchange) || !exchange.operation.startsWith('wci.')) return none;
  return recordsIn(exchange.operation, exchange.outcome.response.body);
}

/** A 200 that rejects the journey, one of the open readings; only operations that check a journey can reject it. */
export function isRejectedJourney(exchange: Exchange): boolean {
  const checksJourney = exchange.operation === 'wci.subscribe' || exchange.operation === 'wci.update';
  return checksJourney && isRejectedMessage(exchange);
}

const recordsIn = onceForAnswers((operation, bytes): readonly ShownRecord[] => {
  const { typed: body, untyped } = readAnswer(operation, bytes);
  if (!isObject(body) || !isObject(untyped)) return none;
  const checksJourney = operation === 'wci.subscribe' || operation === 'wci.update';
  if (checksJourney && body.message === 'REJECTED') return none;
  if (operation === 'wci.subscribe') return [{ by: 'subscribe', at: '', record: body, untyped }];
  if (operation === 'wci.status') return [{ by: 'status', at: '', record: body, untyped }];
  const [{ data }, { data: bare }] = [body, untyped];
  if (operation === 'wci.list') return Array.isArray(data) ? listItems(data, bare) : none;
  return isObject(data) && isObject(bare)
    ? [{ by: 'update', at: 'data', record: data, untyped: bare }]
    : none;
});

/** Items of a list that are judged; a page has 100 at most. */
const mostItems = 1000;

function listItems(data: readonly unknown[], untyped: unknown): readonly ShownRecord[] {
  const items: ShownRecord[] = [];
  const bare = untyped as readonly JsonObject[];
  for (const [index, record] of data.slice(0, mostItems).entries())
    if (isObject(record))
      items.push({ by: 'list', at: `data[${index}]`, record, untyped: bare[index] ?? record });
  return items;
}

/** `at` and a member of it, for people: `data[3].status`, or `status` at the top. */
export function place(shown: ShownRecord, member: string): string {
  return shown.at === '' ? member : `${shown.at}.${member}`;
}
