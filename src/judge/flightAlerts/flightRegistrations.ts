import type { Delivery, Exchange } from '../../core/evidence.ts';
import { isObject, memberOf, responseOf, valueNamed, type Json } from '../kernel/body.ts';
import { tokensOf } from '../../spec/world/addresses.ts';
import type { Watch } from '../kernel/oracle.ts';
import { callOf } from '../../trace/call.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import type { Sample } from '../kernel/sample.ts';
import { RecentMap } from '../kernel/recentMap.ts';

/** A callback that flight subscribes registered, or may have registered: address and fid, with what belongs to them. */
interface FlightRegistration {
  readonly url: string;
  readonly fid: string;
  /** Keys that were returned for it; several where subscriptions belong to the key (FLA-OPN-008). */
  readonly keys: Set<string>;
  /** Values of an auth_header that was supplied against the rules. */
  readonly supplied: Set<string>;
}

/** What a notification is judged by. */
export interface FlightCallbacks {
  /** Registrations of its address. */
  readonly registered: readonly FlightRegistration[];
  /** X-API-Keys of partners, which are none of a callback's business. */
  readonly apiKeys: ReadonlySet<string>;
}

/** Deliveries that came before the answer to their registration; one that never comes must not fill the memory. */
const mostEarly = 1_000;

/** A notification that waits for the answer to its registration. */
interface Early {
  readonly delivery: Delivery;
  readonly fid: Json | undefined;
}

/**
 * Judges notifications once their registration is known: one may come before the subscribe is answered, also to an address
 * that has other registrations. A fid that nobody registered shows when nothing more comes.
 */
export function watchFlightCallbacks(
  judge: (delivery: Delivery, callbacks: FlightCallbacks) => readonly Sample[],
): Watch {
  const byToken = new RecentMap<string, FlightRegistration[]>();
  const apiKeys = new Set<string>();
  let early: readonly Early[] = [];
  const of = ({ registration }: Delivery) => byToken.get(registration) ?? [];
  const judged = (delivery: Delivery): readonly Sample[] =>
    judge(delivery, { registered: of(delivery), apiKeys }).map((one) => ({ ...one, evidence: [delivery] }));
  const isDue = ({ delivery, fid }: Early) => {
    const registered = of(delivery);
    return registered.length > 0 && (typeof fid !== 'string' || registered.some((one) => one.fid === fid));
  };
  const settle = (due: readonly Early[]) => {
    early = early.filter((one) => !due.includes(one));
    return due.flatMap(({ delivery }) => judged(delivery));
  };
  return {
    exchange: (exchange) => {
      const apiKey = exchange.enterprise === null ? null : valueNamed(exchange.request.headers, 'x-api-key');
      if (apiKey !== null) apiKeys.add(apiKey);
      return register(exchange, byToken) && early.length > 0 ? settle(early.filter(isDue)) : [];
    },
    delivery: (delivery) => {
      const one = { delivery, fid: deliveredObject(delivery)?.fid };
      if (isDue(one)) return judged(delivery);
      early = [...early, one].slice(-mostEarly);
      return [];
    },
    end: () => settle(early.filter(({ delivery }) => of(delivery).length > 0)),
    forgotten: () => byToken.forgotten,
  };
}

/** Takes note of a subscribe with a callback that was not refused. */
function register(exchange: Exchange, byToken: Map<string, FlightRegistration[]>): boolean {
  const status = responseOf(exchange)?.status ?? null;
  if (exchange.operation !== 'fla.subscribe' || (status !== null && status >= 400 && status < 500))
    return false;
  const callback = callOf(exchange)?.body?.callbackData;
  const { callbackUrl: url, fid, auth_header: supplied } = isObject(callback) ? callback : {};
  if (typeof url !== 'string' || typeof fid !== 'string') return false;
  const key = memberOf(exchange, 'callbackApiKey');
  for (const token of tokensOf(url)) {
    const registration = find(byToken, token, { url, fid });
    if (typeof key === 'string' && key !== '') registration.keys.add(key);
    if (typeof supplied === 'string') registration.supplied.add(supplied);
  }
  return true;
}

function find(
  byToken: Map<string, FlightRegistration[]>,
  token: string,
  { url, fid }: { url: string; fid: string },
): FlightRegistration {
  const registered = byToken.get(token) ?? [];
  const known = registered.find((one) => one.url === url && one.fid === fid);
  if (known) return known;
  const made = { url, fid, keys: new Set<string>(), supplied: new Set<string>() };
  byToken.set(token, [...registered, made]);
  return made;
}
