import { type CheckContext, type JsonObject, generate, subscribe } from '../checks.ts';
import { withFreshPnr } from './checkin.ts';

/** A webhook address in plain http that nobody serves. */
export const plainUrl = 'http://example.com/gatecheck/hook';
/** The same with a port and a query, and with TLS and a port. */
export const queriedUrl = 'http://example.com:8080/gatecheck/hook?to=ci&n=1';
export const secureUrl = 'https://example.com:8443/gatecheck/hook';

/** The rules of forms that `withCallbackForm` carries. */
export const callbackRules: readonly string[] = ['WCI-CBR-004', 'WCI-CBR-005', 'WCI-CBR-015'];

/** The body with callbackData; clientId and clientName are included, since a deployment may require them. */
export function withCallback(body: JsonObject, callback: JsonObject): JsonObject {
  const plain = { ...generate.plainCallback, callbackUrl: plainUrl, auth_header: 'Authorization: gatecheck' };
  return { ...body, callbackData: { ...plain, ...callback } };
}

/** The body with callbackData in several forms that are allowed. */
export function withCallbackForm(t: CheckContext, body: JsonObject): JsonObject {
  return withCallback(body, { auth_header: `X-API-Key: ${t.identities.authValue()}` });
}

/** One thing after another, so that it is known which of them is refused. */
export async function sendCallbackApart(t: CheckContext, given: JsonObject | null = null): Promise<void> {
  const body = given ?? (await t.fixtures.booking());
  const named = { auth_header: `X-API-Key: ${t.identities.authValue()}` };
  const changes = [{ ...named, callbackUrl: secureUrl }, {}, { ...named, callbackUrl: queriedUrl }];
  const plain = { callbackUrl: plainUrl, ...named };
  for (const change of changes) await t.send(subscribe(withCallback(withFreshPnr(t, body), change)));
  await t.send(subscribe({ ...withFreshPnr(t, body), callbackData: plain }));
}
