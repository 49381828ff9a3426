import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type Exchange,
  type Judgement,
  holds,
  isAccepted,
  responseOf,
  differs,
  is,
  numberDue,
} from '../checks.ts';
import { newEnterprise } from './enterprises.ts';
import { untilFull } from './limits.ts';

/** A new enterprise, one key of which was used up to see how many requests pass; its other keys are unused. */
export async function measured(
  t: CheckContext,
  count: number,
  fill: (key: ApiKey) => ApiRequest,
): Promise<{ readonly keys: readonly ApiKey[]; readonly room: number }> {
  const [first, ...keys] = await newEnterprise(t, 10, count);
  if (!first) return { keys: [], room: 0 };
  const most = t.settings.limits.perMinute + 5;
  const { admitted } = await untilFull(t, () => fill(first), most);
  t.assume(admitted < most, 'nothing was refused, so that nothing can be seen to count');
  return { keys, room: admitted };
}

/** How much of the budget of a fresh key some requests used. */
interface Taken {
  readonly sent: number;
  readonly places: number;
  /** How many requests passed until one was refused, and whether one was. */
  readonly admitted: number;
  readonly isFull: boolean;
  readonly exchanges: readonly Exchange[];
}

/** How many requests a fresh key may send, and what uses up the rest of them. */
interface Budget {
  readonly fill: () => ApiRequest;
  readonly room: number;
}

/** Sends requests with a fresh key, and sees how much of its budget they used. */
export async function takenBy(
  t: CheckContext,
  requests: readonly ApiRequest[],
  budget: Budget,
): Promise<Taken> {
  return takenAfter(t, await sendAll(t, requests), budget);
}

/** Sees how much of the budget of a fresh key was used by what was sent before. */
export async function takenAfter(
  t: CheckContext,
  before: readonly Exchange[],
  { fill, room }: Budget,
): Promise<Taken> {
  const most = room + beyondDoubt;
  const { admitted, exchanges } = await untilFull(t, fill, most);
  return {
    ...{ sent: before.length, places: room - admitted, exchanges: [...before, ...exchanges] },
    ...{ admitted, isFull: admitted < most },
  };
}

/** Sends one request after the other, each of which has to be accepted. */
export async function sendAll(
  t: CheckContext,
  requests: readonly ApiRequest[],
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const request of requests) {
    const exchange = await t.send({ ...request, wantsRefusal: true });
    const code = responseOf(exchange)?.status ?? 0;
    t.assume(code !== 429 && code !== 0, `${exchange.id} was to take one of the first places`);
    t.assume(
      request.operation === 'wci.status' || request.operation === 'fla.lookup' || isAccepted(exchange),
      `${exchange.id} was not accepted`,
    );
    exchanges.push(exchange);
  }
  return exchanges;
}

/** How far a limiter may be off that only approximates, or refills meanwhile. */
const mostOff = 2;

/** If so many more pass than with another key, the budget is greater, whatever does not count. */
const beyondDoubt = 8;

/** Whether each request took one place of the budget, as an argument of a judgement; `rule` says so of these requests. */
export function countedOnce(
  t: CheckContext,
  rule: string,
  taken: Taken,
): Readonly<Record<string, Judgement>> {
  const { perMinute } = t.settings.limits;
  const { sent, places, admitted, isFull } = taken;
  const refused = isFull ? { 'SHR-LIM-002': holds } : {};
  if (Math.abs(places - sent) <= mostOff) return { ...refused, [rule]: holds };
  if (!isFull && admitted > perMinute && isWithinAMinute(taken.exchanges))
    return {
      'SHR-LIM-002': differs(
        'more',
        'answer',
        is.atMost(perMinute, 'requests', 'of a key in a minute'),
        is.number(admitted, 'requests', 'and more'),
      ),
    };
  const code = places < sent ? 'uncounted' : 'counted-more';

  return {
    ...refused,
    [rule]: numberDue(
      code,
      'places',
      sent,
      places,
      `of the budget of a key, one for each of the ${sent} requests before it was used up`,
    ),
  };
}

function isWithinAMinute(exchanges: readonly Exchange[]): boolean {
  const [first, last] = [exchanges[0], exchanges.at(-1)];
  return first !== undefined && last !== undefined && last.timings.received - first.timings.sent < 60_000;
}
