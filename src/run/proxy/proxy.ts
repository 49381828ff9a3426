import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { apis, type Api } from '../../core/operations.ts';
import { quotedArgument } from '../../core/quotedArgument.ts';
import { createRandom } from '../../core/random.ts';
import { Redactor } from '../../core/redact.ts';
import { newRunId } from '../../core/runId.ts';
import { Scope } from '../../core/scope.ts';
import type { Settings } from '../../core/settings.ts';
import { shortPath } from '../../core/shortPath.ts';
import { clockBookOf } from '../../engine/clock/clockBook.ts';
import { readSuites } from '../../engine/session/suites.ts';
import { writeHar } from '../../report/har/writeHar.ts';
import { prepareReportDir, reportFiles } from '../../report/reportDir.ts';
import { giveReportDirBack } from '../../report/reportHold.ts';
import { openJournal } from '../../send/journal.ts';
import { createUndiciTransport } from '../../send/undiciTransport.ts';
import type { SinkServer } from '../../receive/sinkServer.ts';
import type { Page } from '../../sink/livePage.ts';
import { reachableHost } from '../../target/sinkProof.ts';
import { keyRingOf } from '../../target/url.ts';
import { version } from '../../version.ts';
import { knownFailures } from '../knownFailures.ts';
import { memoryFolder } from '../memoryFolder.ts';
import { Holders } from '../recorded/holders.ts';
import { RecordedJudge } from '../recorded/recordedJudge.ts';
import { finishRecorded } from '../recorded/recordedResult.ts';
import type { RunOutput } from '../run.ts';
import { openApiSide, type ApiSide } from './apiSide.ts';
import type { PassedView, ProxyCounts } from '../../sink/page/proxyNews.ts';
import { ProxyBoard } from './board.ts';
import { openCallbackSide } from './callbackSide.ts';
import { CallbackWay } from './callbackWay.ts';
import { FaultPlan, type Fault } from './faults.ts';
import { ClientRules } from './clientRules.ts';
import { openProxyPage } from './page.ts';
import { Recorder } from './recorder.ts';

interface ProxyOptions {
  readonly target: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly faults: readonly Fault[];
  /** Whether callbacks of subscribes are led through the proxy. */
  readonly takesCallbacks: boolean;
  /** Makes the same callback addresses again; null for others at every start. */
  readonly pathSecret: string | null;
  readonly isOneEnterprise: boolean;
  /** Null to take the APIs that the traffic shows. */
  readonly apis: readonly Api[] | null;
  readonly har: string | null;
  /** Null for no page. */
  readonly pagePort: number | null;
  readonly command: string;
  readonly root: string;
  /** How Gatecheck was started. */
  readonly program?: string;
  readonly notice: (text: string) => void;
  readonly show: (view: PassedView) => void;
}

/** A proxy that stands; `finish` ends it and judges what passed. */
export interface StandingProxy {
  readonly url: string;
  readonly pageUrl: string | null;
  /** Where callbacks come to; null where they go straight to the client. */
  readonly callbacksUrl: string | null;
  readonly counts: Readonly<ProxyCounts>;
  /** What the client did that the documents ask it not to do, and how often. */
  readonly clientFaults: ReadonlyMap<string, number>;
  readonly finish: () => Promise<RunOutput>;
}

/** Stands between a client and a deployment: records, judges by all passive oracles, and injects faults on demand. */
export async function openProxy(settings: Settings, options: ProxyOptions): Promise<StandingProxy> {
  const record = await openRecord(settings, options);
  const open = new Scope();
  try {
    const { api, page, callbacksUrl } = await openSides(settings, { options, record, open });
    const finish = async () => {
      await open.close();
      return finishProxy(settings, options, record).finally(() => giveReportDirBack(record.reportDir));
    };
    return {
      ...{ url: api.url, pageUrl: page?.url ?? null, callbacksUrl, finish },
      counts: record.shared.board.counts,
      clientFaults: record.shared.rules.counts,
    };
  } catch (error) {
    await open.close();
    await record.journal.close();
    giveReportDirBack(record.reportDir);
    throw error;
  }
}

type ProxyRecord = Awaited<ReturnType<typeof openRecord>>;

/** What sees and keeps all that passes. */
async function openRecord(settings: Settings, options: ProxyOptions) {
  const checks = await readSuites();
  const known = await knownFailures(settings);
  const [redactor, keys, clock] = [new Redactor(), keyRingOf(settings), systemClock];
  if (options.pathSecret !== null) redactor.add(options.pathSecret, 'path secret');
  const [runId, startedAt] = [newRunId(clock), clock.now()];
  const reportDir = await prepareReportDir(settings.reportDir, runId, options.root);
  const evidence = join(reportDir, reportFiles.evidence);
  const journal = openJournal(evidence, redactor);
  const clockBook = clockBookOf(memoryFolder(options.root), options.target);
  const judge = new RecordedJudge({ settings, checks, keys, redactor, journal, clockBook });
  const holders = new Holders({ keys, isOneEnterprise: options.isOneEnterprise, redactor });
  const faults = new FaultPlan(options.faults, createRandom(settings.seed), () => board.changed());
  const board: ProxyBoard = new ProxyBoard(() => faults.views);
  const { notice, show } = options;
  const recorder = new Recorder({ judge, journal, holders, redactor, board, notice, show });
  const shared = { recorder, board, faults, rules: new ClientRules(), clock };
  return { checks, known, runId, startedAt, reportDir, evidence, journal, judge, holders, shared };
}

interface SideParts {
  readonly options: ProxyOptions;
  readonly record: ProxyRecord;
  /** Closes all that was opened. */
  readonly open: Scope;
}

/** The side of the client, the side of callbacks and the live page. */
async function openSides(settings: Settings, { options, record, open }: SideParts) {
  const { shared, evidence, reportDir } = record;
  const callbacks = options.takesCallbacks ? await openCallbacks(settings, { options, shared, open }) : null;
  const transport = createUndiciTransport(settings.http, shared.clock);
  open.defer(() => transport.close());
  const { target, listen, pagePort: port } = options;
  const api: ApiSide = await openApiSide({
    ...shared,
    target,
    listen,
    transport,
    way: callbacks?.way ?? null,
  });
  open.defer(() => api.close());
  const exportHar = () => harOf(evidence, reportDir);
  const page: Page | null = port === null ? null : await openProxyPage({ ...shared, port, exportHar });
  if (page) open.defer(() => page.close());
  return { api, page, callbacksUrl: callbacks?.base ?? null };
}

/** Judges what passed and writes the reports. */
async function finishProxy(
  settings: Settings,
  { target, command, har, notice, ...options }: ProxyOptions,
  { holders, shared, evidence, ...record }: ProxyRecord,
): Promise<RunOutput> {
  if (holders.isUndecided && !options.isOneEnterprise) notice(undecided);
  const clockText = record.judge.clockNotice();
  if (clockText !== null) notice(clockText);
  const { recorder } = shared;
  const seen = apis.filter((api) => recorder.apis.has(api));
  const recording = shortPath(join(record.reportDir, reportFiles.har), options.root);
  const output = await finishRecorded({
    ...record,
    settings: { ...settings, apis: options.apis ?? (seen.length > 0 ? seen : apis) },
    counts: recorder.seen,
    baseUrls: { webcheckin: target, 'flight-alerts': target },
    command,
    again: `${options.program ?? 'gatecheck'} judge ${quotedArgument(recording)}`,
  });
  if (har !== null) await writeHar(evidence, har, version);
  return output;
}

const undecided =
  'The traffic carried several API keys, and nothing says which belong to one enterprise: what depends on it is skipped. ' +
  'Name them in GATECHECK_KEYS_PRIMARY and GATECHECK_KEYS_OTHER, or say --one-enterprise.';

interface CallbackParts {
  readonly options: ProxyOptions;
  readonly shared: Pick<
    Parameters<typeof openCallbackSide>[0],
    'recorder' | 'board' | 'faults' | 'rules' | 'clock'
  >;
  readonly open: Scope;
}

async function openCallbacks({ sink, http }: Settings, { options, shared, open }: CallbackParts) {
  const closing = new AbortController();
  const secret = options.pathSecret ?? randomBytes(32).toString('hex');
  const server: SinkServer = await openCallbackSide({
    ...{ ...shared, sink, http, closing: closing.signal },
    way: () => way,
  });
  open.defer(() => {
    closing.abort();
    return server.close();
  });
  const base = sink.publicUrl ?? addressOf(sink.listen.host, server);
  const way: CallbackWay = new CallbackWay(secret, base);
  return { way, base };
}

/** Where a deployment reaches a server of this machine. */
function addressOf(listenHost: string, { url, port }: SinkServer): string {
  const host = reachableHost(listenHost, false);
  return `${url.split(':', 1)[0] ?? 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function harOf(evidence: string, folder: string): Promise<Uint8Array> {
  // The journal writes within a quarter of a second.
  await systemClock.sleep(300);
  const file = join(folder, `${randomBytes(6).toString('hex')}.har`);
  await writeHar(evidence, file, version);
  return readFile(file).finally(() => rm(file, { force: true }));
}
