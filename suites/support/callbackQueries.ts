import {
  type CheckContext,
  type Exchange,
  type FlightLeg,
  type FlightSubscription,
  type JsonObject,
  type Judgement,
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

/** An address that is refused: without its query it is accepted, as all that is registered here has one, or not even then. */
export async function judgeRefusedAddress(t: CheckContext, refused: FlightSubscription): Promise<void> {
  if (responseOf(refused.subscribed)?.status !== 400) return;
  const { fid, callbackUrl } = callbackOf(refused.body);
  const ask = asking(t, refused);
  const bare = await ask({ fid, callbackUrl: callbackUrl.replace(/\?.*/, '') });
  if (isAccepted(bare)) t.judge([refused.subscribed, bare], accepts(refused.subscribed));
  else if (isPublic(callbackUrl)) {
    // The leg is not at fault where it can be subscribed without a callback.
    const polling = await ask('absent');
    if (isAccepted(polling)) t.judge([refused.subscribed, bare, polling], accepts(refused.subscribed));
  }
}

/** Whether an address is one that every deployment can look up: the others that are tried need not have any. */
function isPublic(callbackUrl: string): boolean {
  return callbackUrl.startsWith('https://example.com/');
}

function accepts(subscribed: Exchange): Readonly<Record<string, Judgement>> {
  return { 'FLA-CBR-014': answered(subscribed, ok) };
}
