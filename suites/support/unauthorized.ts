import {
  type ApiRequest,
  type CheckContext,
  type Exchange,
  answered,
  responseOf,
  unauthorized,
} from '../checks.ts';
import { recordOperations } from './calls.ts';

/** An id that no record has. */
export const nobody = 'gatecheck-nobody';

/** A row for each operation of Web Check-in. */
export const namedOperations = (rule: string) =>
  recordOperations.map((operation) => ({ rule, name: operation, operation }));

/** The one of the requests that a row names, by its path. */
export async function judgeUnauthorized(
  t: CheckContext,
  { rule, name }: { readonly rule: string; readonly name: string },
  requests: readonly ApiRequest[],
): Promise<void> {
  for (const request of requests.filter(({ path }) => path === name)) {
    const x = await t.send(request);
    t.judge(x, { [rule]: answered(x, unauthorized) });
  }
}

/** Ends the case if the operation lets such a key in anyway: then nothing is known about what is judged first. */
export async function assumeRefused(t: CheckContext, x: Exchange, valid: ApiRequest): Promise<void> {
  if (responseOf(x)?.status === 401) return;
  const control = await t.send(valid);
  const isRefused = [400, 401].includes(responseOf(control)?.status ?? 400);
  t.assume(isRefused, `${control.id}: a valid request with such a key is let in`);
}
