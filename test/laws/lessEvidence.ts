import { isDelivery as isMessageOfSink, type Delivery, type Exchange } from '../../src/core/evidence.ts';
import { isNote, type Evidence } from '../../src/trace/evidence.ts';

/** Makes another trace of the same deployment, as somebody who saw less of it, or saw it later, would have it. */
export type Lessen = (trace: readonly Evidence[], random: () => number) => readonly Evidence[];

/** What may be missing of a trace that holds all that was written: no fact is wrong by it, only unknown. */
export const whileWritesStay: Readonly<Record<string, Lessen>> = {
  'half of the reads': (trace, random) => trace.filter((one) => !isRead(one) || random() < 0.5),
  'all reads': (trace) => trace.filter((one) => !isRead(one)),
  'half of the deliveries': (trace, random) => trace.filter((one) => !isDelivery(one) || random() < 0.5),
  'the answers of some writes': (trace, random) =>
    trace.map((one) =>
      isNote(one) || isDelivery(one) || isRead(one) || random() < 0.7 ? one : withoutAnswer(one),
    ),
  'the beginning': (trace, random) => trace.slice(Math.floor(trace.length * random() * 0.8)),
  'nothing, but deliveries come later': deliveriesLater,
  'all that concerns some records': withoutSomeRecords,
};

/** What may be missing besides the steps of a state handler, by which a callback is owed: a sink misses none. */
export const besideSteps: Readonly<Record<string, Lessen>> = Object.fromEntries(
  Object.entries(whileWritesStay).filter(([name]) => !name.includes('deliveries')),
);

/** What may be missing of a recording, about which nobody claims that it is all that happened. */
export const ofRecordings: Readonly<Record<string, Lessen>> = {
  ...whileWritesStay,
  'some writes': (trace, random) => trace.filter((one) => isDelivery(one) || isRead(one) || random() < 0.6),
  'some of everything': (trace, random) => trace.filter(() => random() < 0.6),
  'nearly everything': (trace, random) => trace.filter(() => random() < 0.1),
};

const reads: ReadonlySet<string | null> = new Set(['wci.status', 'wci.list', 'fla.lookup']);

function isDelivery(one: Evidence): one is Delivery {
  return !isNote(one) && isMessageOfSink(one);
}

function isRead(one: Evidence): boolean {
  return !isNote(one) && !isDelivery(one) && reads.has(one.operation);
}

function withoutAnswer(exchange: Exchange): Exchange {
  const failure = { reason: 'timeout', message: 'no answer', maybeDelivered: true } as const;
  return { ...exchange, outcome: { kind: 'failure', failure } };
}

/** Each delivery comes up to five messages later, so that some overtake each other. */
function deliveriesLater(trace: readonly Evidence[], random: () => number): readonly Evidence[] {
  return trace
    .map((one, index) => ({ one, place: isDelivery(one) ? index + random() * 5 : index }))
    .toSorted((first, second) => first.place - second.place)
    .map(({ one }) => one);
}

/** Lists stay: they show records that others made as well. Other requests for the same booking concern its record. */
function withoutSomeRecords(trace: readonly Evidence[], random: () => number): readonly Evidence[] {
  const gone = namesIn(trace)
    .filter(() => random() < 0.3)
    .flat();
  const isAbout = (text: string) => gone.some((id) => text.includes(id) && isNamedIn(text, id));
  return trace.filter(
    (one) => (!isNote(one) && !isDelivery(one) && one.operation === 'wci.list') || !isAbout(textOf(one)),
  );
}

/** As a value of JSON, of a query or of a part: an id of two characters stands in many texts. */
function isNamedIn(text: string, id: string): boolean {
  const isInQuery = text
    .split(/[?&]\w+=/)
    .slice(1)
    .some((value) => /^[\w%.~+-]*/.exec(value)?.[0] === encodeURIComponent(id));
  return text.includes(`"${id}"`) || text.includes(`\n${id}\r`) || isInQuery;
}

/** The id that each subscribe was answered with, and the locator that it was sent with. */
function namesIn(trace: readonly Evidence[]): readonly (readonly string[])[] {
  const subscribes = trace.filter(
    (one) => !isNote(one) && !isDelivery(one) && one.operation === 'wci.subscribe',
  );
  const name = /"(?:checkin_id|pnr)":"([^"]+)"/g;
  return subscribes.map((one) => [...textOf(one).matchAll(name)].map(([, value = '']) => value));
}

function textOf(one: Evidence): string {
  if (isNote(one)) return JSON.stringify(one);
  if (isDelivery(one)) return bytesText(one.body);
  const { request, outcome } = one;
  const answer = outcome.kind === 'response' ? bytesText(outcome.response.body) : '';
  return request.target + bytesText(request.body) + answer;
}

function bytesText(bytes: Uint8Array | null): string {
  return bytes === null ? '' : Buffer.from(bytes).toString('latin1');
}
