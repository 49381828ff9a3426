import type { Exchange, TransportFailure } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import { fail, ok, warn, type DoctorLine } from './line.ts';
import type { Patient } from './patient.ts';

/** Whether each API answers under its address, asked with the first primary key. */
export async function lookAtTarget(patient: Patient): Promise<readonly DoctorLine[]> {
  const { settings, target } = patient.run;
  const [key] = target.keys.primary;
  if (!key) return [fail('target', 'key', 'there is no primary key', 'Set GATECHECK_KEYS_PRIMARY.')];
  const lines: DoctorLine[] = [];
  for (const api of settings.apis) lines.push(lineFor(api, await patient.ask(api, key), patient));
  return lines;
}

function lineFor(api: Api, exchange: Exchange | null, { run: { target } }: Patient): DoctorLine {
  const address = target.baseUrls[api];
  if (exchange === null) {
    return warn(
      'target',
      api,
      `${address} was not asked: the limit of primary#1 is used up`,
      'Wait for a minute.',
    );
  }
  const { outcome, timings } = exchange;
  if (outcome.kind === 'failure') {
    return fail('target', api, `${address}: ${outcome.failure.message}`, todoFor(outcome.failure));
  }
  const { status } = outcome.response;
  const ms = Math.round(timings.received - timings.sent);
  const said = `${address} answers HTTP ${status} in ${ms} ms`;
  if (status >= 500) return fail('target', api, said, 'Look into the log of the deployment.');
  if (!isKnown(status) || !isJson(exchange)) {
    return fail(
      'target',
      api,
      `${said}, not as this API does`,
      'Check the address, also for a path before /extPartner.',
    );
  }
  return ok('target', api, said);
}

function isKnown(status: number): boolean {
  return [200, 400, 401, 404, 429].includes(status);
}

function isJson(exchange: Exchange): boolean {
  try {
    return typeof JSON.parse(Buffer.from(responseOf(exchange)?.body ?? []).toString()) === 'object';
  } catch {
    return false;
  }
}

const todos: Readonly<Partial<Record<TransportFailure['reason'], string>>> = {
  refused: 'Start the deployment, or check host and port of --target.',
  unresolved: 'Check the host name in --target.',
  timeout: 'Check the way there (VPN, proxy), or raise http.connectTimeout and http.responseTimeout.',
  tls: 'Name the authority of its certificate as http.extraCa in the config.',
};

function todoFor({ reason }: TransportFailure): string {
  return todos[reason] ?? 'Check the address with curl.';
}
