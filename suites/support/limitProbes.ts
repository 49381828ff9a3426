import {
  type ApiKey,
  type ApiRequest,
  type CheckContext,
  type Exchange,
  type Judgement,
  type OwnRecord,
  flightSubscribe,
  generate,
  holds,
  limits,
  list,
  lookup,
  responseOf,
  status,
  subscribe,
  update,
  answeredOtherwise,
  is,
} from '../checks.ts';
import { withKey } from './enterprises.ts';
import { type Flight, legOn } from './flights.ts';
import { bookingParts, multipart, updateParts } from './multipart.ts';

const minuteMs = 60_000;

/** A request that would be served if its key had not used up its budget. */
interface Probe {
  readonly name: string;
  readonly request: ApiRequest;
}

/** Each web check-in operation in each form that takes a different path through a server. */
export async function checkinProbes(
  t: CheckContext,
  { checkinId, body }: OwnRecord,
  key: ApiKey,
): Promise<readonly Probe[]> {
  const options = { key: withKey(key) };
  const changed = { checkin_id: checkinId, passengers: body.passengers ?? [] };
  const booking = await t.fixtures.booking();
  return [
    { name: 'a status by its alias', request: status({ checkinId }, options) },
    { name: 'a status', request: status({ checkin_id: checkinId }, options) },
    { name: 'a list of a status', request: list({ status: 'SCHEDULED' }, options) },
    { name: 'an update', request: update(changed, options) },
    { name: 'a multipart update', request: multipart(t, 'wci.update', updateParts(changed), options) },
    { name: 'a multipart subscribe', request: multipart(t, 'wci.subscribe', bookingParts(booking), options) },
    { name: 'a subscribe of the same booking', request: subscribe(body, options) },
  ];
}

/** Both flight operations. */
export function flightProbes(flight: Flight, key: ApiKey): readonly Probe[] {
  const options = { key: withKey(key) };
  const { flightNumber, departureDate } = flight;
  const leg = generate.renderFlightSubscription(legOn(flight, ['DXB', 'LHR']), 'absent');
  return [
    { name: 'a lookup', request: lookup({ flightNumber, departureDate }, options) },
    { name: 'a flight subscribe', request: flightSubscribe(leg, options) },
  ];
}

/** The exchanges that used up a key, by the time of sending. */
type Filled = readonly Exchange[];

/**
 * Sends each probe with the used-up key. What is carried out within a window of the first of the requests that used it up
 * bypasses the limit; what is refused for another reason says nothing.
 */
export async function judgeFull(t: CheckContext, probes: readonly Probe[], filled: Filled): Promise<void> {
  const [first] = filled;
  const last = filled.at(-1);
  if (!first || !last) return;
  const windowMs = minuteMs * 0.999;
  await t.each(probes, async ({ request }) => {
    const exchange = await t.send({ ...request, wantsRefusal: true });
    const isWithin = exchange.timings.received - first.timings.sent < windowMs;
    const judgement = isWithin ? judgeProbe(exchange) : null;
    if (judgement)
      t.judge([first, last, exchange], { 'SHR-LIM-029': judgement, ...judgeWait(exchange, first) });
  });
}

/** Each operation may word its own refusal: the wait that it announces must be in seconds as well. */
function judgeWait(exchange: Exchange, first: Exchange): Readonly<Record<string, Judgement>> {
  const [at, oldest] = [limits.decisionOf(exchange), limits.decisionOf(first)];
  if (at?.ruling !== 'refused' || at.retryAfter === null || !oldest) return {};
  const wait = limits.judgeRetryAfter({ retryAfter: at.retryAfter, at, oldest }, minuteMs);
  return wait.status === 'unclear' ? {} : { 'SHR-LIM-020': wait };
}

function judgeProbe(exchange: Exchange): Judgement | null {
  const code = responseOf(exchange)?.status ?? 0;
  if (code === 429) return holds;
  if (code !== 200) return null;
  return answeredOtherwise(exchange, is.answer(429, 'as to the requests before'), 'passed');
}
