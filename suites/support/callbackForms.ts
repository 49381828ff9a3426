import { type CheckContext, type JsonObject, accepted, generate, isAccepted, subscribe } from '../checks.ts';
import { withFreshPnr } from './checkin.ts';

/** A webhook address in plain http that nobody serves. */
export const plainUrl = 'http://example.com/gatecheck/hook';

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

/** One thing after another, so that a finding names what is refused. */
export async function judgeCallbackApart(t: CheckContext, given: JsonObject | null = null): Promise<void> {
  const body = given ?? (await t.fixtures.booking());
  const send = (change: JsonObject) => t.send(subscribe(withCallback(withFreshPnr(t, body), change)));
  const named = { auth_header: `X-API-Key: ${t.identities.authValue()}` };
  const secure = await send({ ...named, callbackUrl: 'https://example.com/gatecheck/hook' });
  if (isAccepted(secure)) t.judge(secure, { 'WCI-CBR-004': accepted(await send(named)) });
  const other = await send({});
  if (isAccepted(other)) t.judge(other, { 'WCI-CBR-005': accepted(await send(named)) });
  const plain = await t.send(
    subscribe({ ...withFreshPnr(t, body), callbackData: { callbackUrl: plainUrl, ...named } }),
  );
  if (isAccepted(plain)) t.judge(plain, { 'WCI-CBR-015': accepted(await send(named)) });
}
