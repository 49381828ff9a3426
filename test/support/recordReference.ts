import type { Delivery, Exchange, Headers } from '../../src/core/evidence.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import { Redactor } from '../../src/core/redact.ts';
import { openRun, type OpenRun } from '../../src/engine/session/openRun.ts';
import { Session } from '../../src/engine/session/session.ts';
import { readSuites } from '../../src/engine/session/suites.ts';
import { Inbox, tokensFrom } from '../../src/receive/inbox.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';
import { planOpen } from '../../src/run/planRun.ts';
import { sinkFor, targetFor, type SetUp } from '../../src/run/prove/setUp.ts';
import { noJournal, type Journal } from '../../src/send/journal.ts';
import { isNote, type Evidence, type Note } from '../../src/trace/evidence.ts';
import { resolveSettings } from '../../src/settings/settings.ts';
import { inProcessSink, openInProcessTarget } from '../../src/target/embedded.ts';

export interface RawTraffic {
  readonly evidence: readonly (Exchange | Delivery)[];
  /** The same, with the steps of the state handler among it. */
  readonly trace: readonly Evidence[];
  readonly keys: { readonly primary: readonly string[]; readonly other: readonly string[] };
  /** How far the state handler had moved the clock at each exchange, by its id. */
  readonly movedMs: ReadonlyMap<string, number>;
  /** Requirements that a passive oracle saw broken. */
  readonly violated: ReadonlySet<string>;
}

interface Recording {
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly setUp?: SetUp;
  readonly journal: (redactor: Redactor) => Journal;
  readonly opened?: (run: OpenRun) => unknown;
}

/** A run of all checks against the reference in virtual time. */
export async function runReference(
  policy: Partial<Policy>,
  { only = [], seed = 1, setUp = 'embedded', journal, opened }: Recording,
) {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15, 9, 30));
  const settings = resolveSettings({ seed, only: [...only] }, { env: {} });
  const inbox = new Inbox({ clock, newToken: tokensFrom(`record ${seed}`) });
  const redactor = new Redactor();
  const reference = { settings, clock, inbox, policy: { ...documentedPolicy, ...policy } };
  await using run = await openRun(settings, {
    ...{ id: 'recorded', clock, redactor, openJournal: () => journal(redactor) },
    openTarget: async () => targetFor(setUp, await openInProcessTarget(reference)),
    openSink: () => Promise.resolve(sinkFor(setUp, inProcessSink(inbox))),
  });
  opened?.(run);
  const { keys } = run.target;
  const all = () => ({
    primary: keys.primary.map(({ value }) => value),
    other: keys.other.map(({ value }) => value),
  });
  const held = all();
  const checks = await readSuites();
  const session = new Session(run, { plan: planOpen(run, checks) });
  await session.run();
  const issued = all();
  return {
    ...{ session, settings, checks },
    keys: {
      primary: [...new Set([...held.primary, ...issued.primary])],
      other: [...new Set([...held.other, ...issued.other])],
    },
  };
}

/** The traffic of a run against the reference as it was on the wire, secrets and all: what a proxy would record. */
export async function recordReference(
  policy: Partial<Policy> = {},
  options: Omit<Recording, 'journal' | 'opened'> = {},
): Promise<RawTraffic> {
  const trace: Evidence[] = [];
  const violated = new Set<string>();
  const movedMs = new Map<string, number>();
  let moved = () => 0;
  const note = (one: Exchange | Delivery, broken: readonly string[]) => {
    trace.push(one);
    movedMs.set(one.id, moved());
    for (const id of broken) violated.add(id);
  };
  const journal = () => ({
    ...noJournal,
    exchange: note,
    delivery: note,
    note: (one: Note) => trace.push(one),
  });
  const opened = (run: OpenRun) => (moved = () => run.clockBook.movedMs);
  const { keys } = await runReference(policy, { ...options, journal, opened });
  return {
    trace,
    evidence: trace.filter((one): one is Exchange | Delivery => !isNote(one)),
    violated,
    movedMs,
    keys,
  };
}

/** That traffic as HAR 1.2 of a proxy, which knows nothing of Gatecheck. */
export function foreignHar(evidence: RawTraffic['evidence']): string {
  const entries = evidence.map((one) => ('timings' in one ? exchangeEntry(one) : deliveryEntry(one)));
  const creator = { name: 'a proxy', version: '1' };
  return JSON.stringify({ log: { version: '1.2', creator, entries } });
}

function exchangeEntry({ request, outcome, timings }: Exchange) {
  const response = outcome.kind === 'response' ? outcome.response : null;
  return {
    startedDateTime: new Date(timings.sentAt).toISOString(),
    time: timings.receivedAt - timings.sentAt,
    request: requestOf(request.method, request.baseUrl + request.target, request.headers, request.body),
    response: {
      status: response?.status ?? 0,
      headers: named(response?.headers ?? []),
      content: { ...contentOf(response?.body ?? null), size: response?.body.length ?? 0 },
    },
  };
}

function deliveryEntry(delivery: Delivery) {
  const { method, target, headers, startedAt, receivedAt, answer } = delivery;
  const body = delivery.truncated ? null : delivery.body;
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? 'partner.example.com';
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: receivedAt - startedAt,
    request: requestOf(method, `https://${host}${target}`, headers, body),
    response: {
      status: Number(/^\d{3}/.exec(answer)?.[0] ?? 0),
      headers: named([['date', new Date(receivedAt).toUTCString()]]),
      content: { size: 0 },
    },
  };
}

function requestOf(method: string, url: string, headers: Headers, body: Uint8Array | null) {
  const post = body === null ? {} : { postData: { mimeType: '', ...contentOf(body) } };
  return { method, url, headers: named(headers), ...post };
}

function contentOf(body: Uint8Array | null): { readonly text?: string; readonly encoding?: string } {
  return body === null ? {} : { text: Buffer.from(body).toString('utf8') };
}

function named(headers: Headers) {
  return headers.map(([name, value]) => ({ name, value }));
}
