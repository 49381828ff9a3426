import type { Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import { minutesText } from '../../engine/clock/clockNotice.ts';
import { describeWrongServer } from '../../engine/health/reasons.ts';
import { isOfTheApi } from '../../engine/health/signs.ts';
import { adviceForFailure } from '../../send/failureAdvice.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import { fail, ok, warn, type DoctorLine } from './render.ts';
import type { Patient } from './patient.ts';

/** Whether each API answers at its address, with the first primary key. */
export async function lookAtTarget(patient: Patient): Promise<readonly DoctorLine[]> {
  const { settings, target } = patient.run;
  const [key] = target.keys.primary;
  if (!key) return [fail('target', 'key', 'there is no primary key', 'Set GATECHECK_KEYS_PRIMARY.')];
  const lines: DoctorLine[] = [];
  for (const api of settings.apis) lines.push(lineFor(api, key, await patient.ask(api, key), patient));
  return lines;
}

/** What a list of records is answered where the operation is not there; a flight may be unknown, and then is 404. */
export function isUnknownPlace(api: Api, status: number): boolean {
  return api === 'webcheckin' && (status === 404 || status === 405);
}

/** How long a key is to be left alone. */
export function waitText(ms: number): string {
  return `Wait for ${ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : minutesText(ms)}, or use another key.`;
}

/** What to do about what was not asked, because the look had ended. */
export const seeEnd = 'See the line about the end.';

function lineFor(api: Api, key: ApiKey, exchange: Exchange | null, patient: Patient): DoctorLine {
  const { target, redactor } = patient.run;
  const address = target.baseUrls[api];
  if (exchange === null) {
    const isOver = patient.ended() !== null;
    return warn(
      'target',
      api,
      `${address} was not asked${isOver ? '' : ': the limit of primary#1 is used up'}`,
      isOver ? seeEnd : waitText(patient.waitOf(key)),
    );
  }
  const { outcome, timings } = exchange;
  if (outcome.kind === 'failure') {
    return fail('target', api, `${address}: ${outcome.failure.message}`, adviceForFailure(outcome.failure));
  }
  const { status } = outcome.response;
  const ms = Math.round(timings.received - timings.sent);
  const said = `${address} answers HTTP ${status} in ${ms} ms`;
  if (status === 429) return warn('target', api, said, 'Others may use the key, or its limit is used up.');
  if (!isOfTheApi(exchange))
    return fail('target', api, said, `${redactor.redact(describeWrongServer(exchange))}.`);
  if (status >= 500) return fail('target', api, said, 'Look into the log of the deployment.');
  if (isUnknownPlace(api, status))
    return fail(
      'target',
      api,
      `${said} to a list of check-in requests`,
      'Check the path of --target: Gatecheck adds /extPartner/api/… to it. Or give --api flight-alerts, if that is all the target has.',
    );
  return ok('target', api, said);
}
