import type { Exchange } from '../../core/evidence.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import type { Client } from '../../send/client.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { ApiRequest } from '../../send/request.ts';
import { isCutOff } from '../attempt/cutOff.ts';
import type { OpenRun } from '../session/openRun.ts';
import { asking, type Traffic } from '../session/traffic.ts';
import { cheapRead, faultyRead, provingReads } from './probes.ts';
import { describeWrongServer } from './reasons.ts';
import { isOfTheApi, isSameNotFound, mayBeUnknownPath, statusOf } from './signs.ts';

/**
 * Proves that the target answers, is one of the APIs, and accepts the key. Returns the status of its answer, or null if the run
 * is stopped.
 */
export async function reach(run: OpenRun, traffic: Traffic, probe: ApiRequest): Promise<number | null> {
  const { client, ending } = traffic;
  let answered: number | null = null;
  try {
    const exchange = await client.send(probe, asking);
    answered = statusOf(exchange);
    if (answered === null) {
      if (!isCutOff(exchange) || !(await isElsewhereOfTheApi(run, client, probe))) traffic.health.lose();
    } else if (await isNotThisApi(run, client, { probe, exchange }))
      ending.stop('not-this-api', run.redactor.redact(describeWrongServer(exchange)));
    else if (answered === 401) await traffic.keyProof.prove(keyOf(run, probe, exchange));
    return ending.isStopped ? null : answered;
  } catch (error) {
    if (answered === 401 && error instanceof BudgetExhausted) ending.stop('key-refused');
    if (!ending.isStopped) throw error;
    return null;
  }
}

function keyOf({ target }: OpenRun, { key }: ApiRequest, exchange: Exchange): ApiKey {
  const used = key.kind === 'key' ? key.key : target.keys.named(exchange.key);
  if (used === null) throw new Error('the first request carries a key of the run');
  return used;
}

interface Probed {
  readonly probe: ApiRequest;
  readonly exchange: Exchange;
}

async function isNotThisApi(run: OpenRun, client: Client, probed: Probed): Promise<boolean> {
  const { probe, exchange } = probed;
  const isStrange = statusOf(exchange) !== 429 && !isOfTheApi(exchange);
  if (isStrange && !(await isElsewhereOfTheApi(run, client, probe))) return true;
  return isUnknownPath(run, client, probed);
}

/** A deployment that gets one answer quite wrong is judged for it: reads that it has to refuse show whether it is the API. */
async function isElsewhereOfTheApi(run: OpenRun, client: Client, { key }: ApiRequest): Promise<boolean> {
  for (const api of run.settings.apis) {
    const exchange = await answerTo(client, faultyRead(api, { key }));
    if (exchange !== null && isOfTheApi(exchange)) return true;
  }
  return false;
}

/** A 404 in the form of the API, from a server that answers that to whatever it is asked: a wrong path in the address. */
async function isUnknownPath(
  { settings, clock }: OpenRun,
  client: Client,
  { probe, exchange }: Probed,
): Promise<boolean> {
  if (!mayBeUnknownPath(exchange)) return false;
  const [, ...others] = provingReads(settings.apis, clock.now());
  const seen = [exchange];
  for (const read of others) {
    const next = await answerTo(client, { ...read, key: probe.key });
    // If in doubt, assume the deployment is right.
    if (next === null || !isSameNotFound([...seen, next])) return false;
    seen.push(next);
  }
  return seen.length > 1;
}

/** Null if no budget is left to ask. */
function answerTo(client: Client, read: ApiRequest): Promise<Exchange | null> {
  return client.send(read, asking).catch((error: unknown) => {
    if (error instanceof BudgetExhausted) return null;
    throw error;
  });
}

/** Whether the deployment accepts a key that was made during the run. */
export async function isTaken(run: OpenRun, traffic: Traffic, key: ApiKey): Promise<boolean> {
  const answered = await statusWith(run, traffic, key);
  return answered !== null && answered !== 401 && answered !== 403;
}

/** The status that a read with a key gets; null for no answer. */
export async function statusWith(
  { settings, clock }: OpenRun,
  { client }: Traffic,
  key: ApiKey,
): Promise<number | null> {
  const probe = cheapRead(settings.apis[0] ?? 'webcheckin', clock.now(), { key: { kind: 'key', key } });
  return statusOf(await client.send(probe, 'fixture.key'));
}
