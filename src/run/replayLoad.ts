import type { Settings } from '../core/settings.ts';
import type { Finding, StoredCase, StoredStep } from '../engine/findings/finding.ts';
import { openRun, type RunPorts } from '../engine/session/openRun.ts';
import { resend, type Resent } from '../engine/attempt/resend.ts';
import { Session } from '../engine/session/session.ts';
import { createIdentities, type Identities } from '../generate/kit/identity.ts';
import { wordsOf } from '../spec/wording/words.ts';
import type { BrokenRule } from '../load/judge/judgeShare.ts';
import { memoryFolder } from './memoryFolder.ts';
import { emptyPlan, nowFailing, readOnlyError, stepsOf, type ReplayOutput } from './replay.ts';
import { operations, type OperationId } from '../core/operations.ts';
import type { KeyRing } from '../send/keyRing.ts';
import { noKey, otherKey, primaryKey, type ApiRequest, type KeyChoice } from '../send/request.ts';

interface LoadReplay extends RunPorts {
  /** Folder of the user's project, for what later runs must know; by default nothing is stored. */
  readonly root?: string;
  /** When the rule broke; undefined if the result does not say it. */
  readonly when: BrokenRule['when'] | undefined;
}

/**
 * Sends the requests of a load's finding again, one after another and at rest. A rule that holds then is fixed only if it was broken
 * at rest before: otherwise it takes the load.
 */
export async function replayLoad(
  finding: Finding,
  settings: Settings,
  { when, root, ...ports }: LoadReplay,
): Promise<ReplayOutput> {
  const stored = finding.case as unknown as StoredCase;
  if (settings.readOnly && stored.steps.some(({ method }) => method !== 'GET')) throw readOnlyError(finding);
  await using run = await openRun(settings, {
    ...{ id: `replay-${finding.fingerprint}`, ...ports },
    memory: root === undefined ? null : memoryFolder(root),
  });
  // A repetition with the same seed must make other bookings than the one before it.
  const identities = createIdentities(`${run.id}/${run.clock.now()}`, settings.seed);
  const session = new Session(run, { plan: emptyPlan(settings) });
  const resent = await resend(session, requestsOf(stored.steps, { keys: run.target.keys, identities }));
  return {
    ...verdictOf(finding, { stored, session, resent, when }),
    steps: stepsOf({ ...stored, whole: false }, resent.exchanges, run.redactor),
  };
}

interface Seen {
  readonly stored: StoredCase;
  readonly session: Session;
  readonly resent: Resent;
  readonly when: BrokenRule['when'] | undefined;
}

function verdictOf(
  finding: Finding,
  { stored, session, resent, when }: Seen,
): Pick<ReplayOutput, 'verdict' | 'reason'> {
  const { samples, violations } = session.observations.observer.tallies.of(finding.requirement);
  const [seen] = violations.values();
  if (seen) {
    const { expected, actual } = wordsOf(seen.judgement);
    return { verdict: 'FAILS', reason: `without load as well: expected ${expected}; got ${actual}` };
  }
  if (resent.cutShort !== null)
    return { verdict: 'DIFFERS', reason: `not all requests were sent: ${resent.cutShort}` };
  const failing = nowFailing(stored, resent.exchanges);
  if (failing !== null) return { verdict: 'DIFFERS', reason: failing };
  const held = `the rule held at rest, ${samples} of ${samples} times that it was judged`;
  if (samples > 0 && when === 'at-rest') return { verdict: 'FIXED', reason: held };
  const why = samples > 0 ? held : 'sent one by one, the requests say nothing about the rule';
  return {
    verdict: 'DIFFERS',
    reason: `${why}. To see whether it breaks under load, ${sendLoadAgain(finding)}`,
  };
}

/** Whether a finding comes from a load: the oracles saw it among many requests, not a check in a case of its own. */
export function isOfLoad({ check }: Finding): boolean {
  return check === 'load';
}

/** Why nothing can be sent again for a finding of a load; null if something can. */
export function whyNotResent(finding: Finding): string | null {
  const { steps = [], deliveries = [] } = (finding.case ?? {}) as Partial<StoredCase>;
  if (finding.case === undefined) return 'it takes as many requests as fill the limit';
  if (deliveries.length > 0) return 'it takes callbacks, which come only while the load is sent';
  if (steps.length === 0) return 'no single request shows it';
  return steps.map(whyNotAgain).find((why) => why !== null) ?? null;
}

/** What is left for a finding that no sequence shows. */
export function sendLoadAgain({ reproduce }: Finding): string {
  return `send the load again: ${reproduce.command}`;
}

interface ResentOptions {
  readonly keys: KeyRing;
  readonly identities: Pick<Identities, 'pnr' | 'fid'>;
}

/** Why a stored request cannot be sent again; null if it can. */
function whyNotAgain({ operation, body }: StoredStep): string | null {
  if (operation === null) return 'one of its requests addresses no documented operation';
  return body === null || isJson(body) ? null : 'one of its requests uploads files, which no result stores';
}

/** Stored requests as they are sent again: with the keys of today, new bookings, and no callback to an address of that run. */
function requestsOf(
  steps: readonly StoredStep[],
  { keys, identities }: ResentOptions,
): readonly ApiRequest[] {
  const pnrs = new Map<string, string>();
  const fresh = (pnr: string) => {
    const known = pnrs.get(pnr) ?? identities.pnr();
    pnrs.set(pnr, known);
    return known;
  };
  return steps.map(({ operation, method, target, key, body }) => {
    const id = operation as OperationId;
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    return {
      ...{ operation: id, api: operations[id].api, method, path, query, key: keyOf(key, keys) },
      headers: body === null ? [] : [['content-type', 'application/json'] as const],
      body: body === null ? null : Buffer.from(againOf(body, id, fresh), 'utf8'),
      ...{ keyHeader: 'X-API-Key', wantsRefusal: false, connection: null },
    };
  });
}

/** A subscribe of a booking that exists would make no record, and nobody listens any more at the address of that run. */
function againOf(body: string, operation: OperationId, fresh: (pnr: string) => string): string {
  if (!operation.endsWith('.subscribe')) return body;
  const { callbackData: _, pnr, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(typeof pnr === 'string' ? { pnr: fresh(pnr), ...rest } : rest);
}

/** The key of that label; of one that was made for the load, any of the same enterprise. */
function keyOf(label: string | null, keys: KeyRing): KeyChoice {
  if (label === null) return noKey;
  const key = keys.named(label);
  if (key !== null) return { kind: 'key', key };
  return label.startsWith('other') ? otherKey : primaryKey;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
