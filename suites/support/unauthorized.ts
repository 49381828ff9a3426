import { type ApiRequest, type CheckContext, responseOf } from '../checks.ts';
import { recordOperations } from './calls.ts';

/** An id that no record has. */
export const nobody = 'gatecheck-nobody';

/** A row for each operation of Web Check-in. */
export const namedOperations = (rule: string) =>
  recordOperations.map((operation) => ({ rule, name: operation, operation }));

/** The one of the requests that a row names, by its path. */
export async function sendNamed(
  t: CheckContext,
  { name }: { readonly name: string },
  requests: readonly ApiRequest[],
): Promise<void> {
  for (const request of requests.filter(({ path }) => path === name)) await t.send(request);
}

/** An invalid request; if it is not refused for its key, the valid one shows whether that is needed. */
export async function sendInvalid(t: CheckContext, invalid: ApiRequest, valid: ApiRequest): Promise<void> {
  const x = await t.send(invalid);
  if (responseOf(x)?.status !== 401) await t.send(valid);
}
