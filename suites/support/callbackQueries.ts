import {
  type CheckContext,
  type Exchange,
  type FlightLeg,
  type FlightSubscription,
  type JsonObject,
  type KeyChoice,
  type Route,
  answered,
  generate,
  isAccepted,
  ok,
  responseOf,
} from '../checks.ts';
import { callbackMaker, callbackOf, callbackSubscription, legOn, put, sendSubscribe } from './flights.ts';

/** The same address with another port, which makes it another URL. */
export function withOtherPort(callbackUrl: string): string {
  const url = new URL(callbackUrl);
  return callbackUrl.replace(url.host, `${url.hostname}:${url.port === '8443' ? '9443' : '8443'}`);
}

/** A subscription on which changes are tried that should be refused; `key` is missing if any key will do. */
interface Changeable {
  readonly leg: FlightLeg;
  readonly callback: ReturnType<typeof callbackOf>;
  readonly key?: KeyChoice;
}

/** A new leg if there can be one, which no other check relies on; else the shared one. */
export async function legToChange(t: CheckContext): Promise<Changeable> {
  const { leg, body, key } = await callbackSubscription(t);
  if (leg.source !== 'state') return { leg, callback: callbackOf(body), key };
  const route: Route = ['DOH', 'SIN'];
  return { leg: legOn(await put(t, [{ route }]), route), callback: (await callbackMaker(t))() };
}

/** Subscribes to the leg of a subscription again, with other callbackData. */
export function asking(
  t: CheckContext,
  { leg, key }: FlightSubscription,
): (callbackData: JsonObject | null | 'absent') => Promise<Exchange> {
  return (callbackData) => sendSubscribe(t, generate.renderFlightSubscription(leg, callbackData), key);
}

/** An address that is refused, but accepted without its query: all that is registered here has one. */
export async function judgeQuery(t: CheckContext, refused: FlightSubscription): Promise<void> {
  if (responseOf(refused.subscribed)?.status !== 400) return;
  const { fid, callbackUrl } = callbackOf(refused.body);
  const bare = await asking(t, refused)({ fid, callbackUrl: callbackUrl.replace(/\?.*/, '') });
  if (isAccepted(bare))
    t.judge([refused.subscribed, bare], { 'FLA-CBR-014': answered(refused.subscribed, ok) });
}
