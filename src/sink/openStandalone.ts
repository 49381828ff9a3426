import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { usageError } from '../core/errors.ts';
import { listenError } from '../core/listenFault.ts';
import type { Redactor } from '../core/redact.ts';
import { readCertificate, makeCertificate, type Certificate } from '../receive/certificate.ts';
import { type Admission, type ReceivedRequest, Inbox, tokensFrom } from '../receive/inbox.ts';
import { describeAnswer } from '../receive/script.ts';
import { openSinkServer, type SinkServer } from '../receive/sinkServer.ts';
import { writeHar } from '../report/har/writeHar.ts';
import { openJournal } from '../send/journal.ts';
import { createSinkProof, whyNotReached, type SinkProof, reachableHost } from '../target/sinkProof.ts';
import { version } from '../version.ts';
import { Board } from './board.ts';
import type { BoardEntry } from './page/news.ts';
import type { StandaloneSettings } from './options.ts';
import type { Page } from './livePage.ts';
import { openPage } from './page.ts';

/** A sink without a run: it stores everything, shows it, and is controlled by people. */
export interface StandaloneSink {
  readonly board: Board;
  readonly server: SinkServer;
  readonly pageUrl: string | null;
  /** Why the public address does not lead here; null if it does, or there is none. */
  whyNotReached(): Promise<string | null>;
  /** Handles what is under way, writes the HAR if asked for, and leaves nothing else behind. */
  close(): Promise<void>;
}

interface StandaloneOptions {
  readonly settings: StandaloneSettings;
  readonly redactor: Redactor;
  readonly show: (entry: BoardEntry) => void;
}

export async function openStandalone(options: StandaloneOptions): Promise<StandaloneSink> {
  const { settings, redactor, show } = options;
  if (settings.pathSecret !== null) redactor.add(settings.pathSecret, 'path secret');
  const certificate = await certificateFor(settings);
  const inbox = new Inbox({
    clock: systemClock,
    newToken: tokensFrom(settings.pathSecret ?? randomBytes(32).toString('hex')),
  });
  const proof = createSinkProof();
  const board = new Board({ inbox, redactor, baseUrl: () => settings.publicUrl ?? urlOf(settings, server) });
  const admit = watchStrays(inbox, (arrival, answer) => show(board.addStray(arrival, answer)));
  const server = await listen(settings, certificate, (target) => proof.admit(target) ?? admit(target));
  const evidence = await openEvidence(redactor);
  inbox.listen((delivery) => {
    evidence.journal.delivery(delivery, []);
    show(board.add(delivery));
    return evidence.journal.drained();
  });
  openAddresses(board, settings);
  const page = await pageFor(settings, board, evidence).catch(async (error: unknown) => {
    await server.close();
    await evidence.close(null);
    throw error;
  });
  return {
    board,
    server,
    pageUrl: page?.url ?? null,
    whyNotReached: () => probe(settings, certificate, proof),
    close: async () => {
      await page?.close();
      await server.close();
      await evidence.close(settings.har);
    },
  };
}

async function certificateFor(settings: StandaloneSettings): Promise<Certificate | null> {
  const { certFile, keyFile, tlsCa, publicUrl, listen: given } = settings;
  if (certFile !== null && keyFile !== null) return readCertificate(certFile, keyFile);
  if (tlsCa === null) return null;
  const names = ['localhost', '127.0.0.1', '::1', reachableHost(given.host, false)];
  const hosts = publicUrl === null ? names : [...names, new URL(publicUrl).hostname.replace(/[[\]]/g, '')];
  const certificate = makeCertificate([...new Set(hosts)]);
  try {
    await writeFile(tlsCa, certificate.ca ?? '');
  } catch {
    throw usageError('CANNOT_WRITE', `--tls-ca: expected a file that can be written; got ${tlsCa}`);
  }
  return certificate;
}

async function listen(
  { listen: { host, port } }: StandaloneSettings,
  certificate: Certificate | null,
  admit: (target: string) => Admission,
): Promise<SinkServer> {
  try {
    return await openSinkServer({ inbox: { admit }, clock: systemClock, host, port, certificate });
  } catch (cause) {
    throw listenError({ host, port, hostOption: '--sink-listen', portOption: '--sink-listen' }, cause);
  }
}

/** The inbox only counts what came to addresses that it did not give out. */
function watchStrays(
  inbox: Inbox,
  onStray: (arrival: ReceivedRequest, answer: string) => void,
): (target: string) => Admission {
  return (target) => {
    const before = inbox.strays + inbox.unwatched;
    const admission = inbox.admit(target);
    if (inbox.strays + inbox.unwatched === before) return admission;
    const { answer } = admission;
    return {
      answer,
      record: (arrival) => {
        onStray(arrival, describeAnswer(answer));
        return Promise.resolve();
      },
    };
  };
}

function urlOf({ listen: { host } }: StandaloneSettings, { url, port }: SinkServer): string {
  const reachable = reachableHost(host, false);
  const name = reachable.includes(':') ? `[${reachable}]` : reachable;
  return `${url.split(':', 1)[0] ?? 'http'}://${name}:${port}`;
}

function openAddresses(board: Board, { answer, authHeader, callbackKey }: StandaloneSettings): void {
  board.open('web-check-in', answer, authHeader);
  board.open('flight-alerts', answer, callbackKey);
}

/** Everything that arrived, redacted, in a folder that is removed at the end. */
async function openEvidence(redactor: Redactor) {
  const folder = await mkdtemp(join(tmpdir(), 'gatecheck-sink-'));
  const lines = join(folder, 'evidence.ndjson');
  const journal = openJournal(lines, redactor);
  return {
    journal,
    exportHar: async () => {
      // The journal writes within a quarter of a second.
      await systemClock.sleep(300);
      const file = join(folder, `${randomBytes(6).toString('hex')}.har`);
      await writeHar(lines, file, version);
      return readFile(file).finally(() => rm(file, { force: true }));
    },
    close: async (har: string | null) => {
      await journal.close();
      if (har !== null) await writeHar(lines, har, version);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Evidence = Awaited<ReturnType<typeof openEvidence>>;

function pageFor(
  { hasPage, pagePort }: StandaloneSettings,
  board: Board,
  { exportHar }: Pick<Evidence, 'exportHar'>,
): Promise<Page | null> {
  return hasPage ? openPage({ board, clock: systemClock, port: pagePort, exportHar }) : Promise.resolve(null);
}

function probe(
  { publicUrl }: StandaloneSettings,
  certificate: Certificate | null,
  proof: SinkProof,
): Promise<string | null> {
  if (publicUrl === null) return Promise.resolve(null);
  const ca = certificate?.ca ?? certificate?.cert ?? null;
  return whyNotReached(publicUrl, proof, { http: plainHttp, clock: systemClock, ca });
}

const plainHttp = {
  connectTimeoutMs: 5_000,
  responseTimeoutMs: 5_000,
  maxBodyBytes: 1024,
  proxy: null,
  extraCa: null,
  clientCert: null,
  clientKey: null,
  headers: {},
};
