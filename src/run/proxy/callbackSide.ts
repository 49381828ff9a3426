import { request as send } from 'undici';
import type { Clock } from '../../core/clock.ts';
import type { Delivery } from '../../core/evidence.ts';
import { listenError } from '../../core/listenFault.ts';
import type { HttpSettings, Settings } from '../../core/settings.ts';
import { readCertificate } from '../../receive/certificate.ts';
import type { Admission, ReceivedRequest } from '../../receive/inbox.ts';
import { describeAnswer, answerStatus, type ScriptedAnswer } from '../../receive/script.ts';
import { openSinkServer, type SinkServer } from '../../receive/sinkServer.ts';
import { createAgent } from '../../send/undiciTransport.ts';
import type { ProxyBoard } from './board.ts';
import type { CallbackWay } from './callbackWay.ts';
import type { FaultPlan } from './faults.ts';
import type { ClientRules } from './clientRules.ts';
import { passedOn } from './messages.ts';
import type { Recorder } from './recorder.ts';

interface CallbackSideOptions {
  readonly sink: Settings['sink'];
  readonly http: HttpSettings;
  /** Known only once it is known where the server listens. */
  readonly way: () => CallbackWay;
  readonly recorder: Recorder;
  readonly board: ProxyBoard;
  readonly faults: FaultPlan;
  readonly rules: ClientRules;
  readonly clock: Clock;
  readonly closing: AbortSignal;
}

const relayMs = 10_000;
const mostBodyBytes = 1024 * 1024;

/** Takes callbacks in place of the client, hands them on, and answers what the client answers. */
export async function openCallbackSide(options: CallbackSideOptions): Promise<SinkServer> {
  const { sink, clock } = options;
  const { host, port } = sink.listen;
  const certificate =
    sink.certFile === null ? null : await readCertificate(sink.certFile, sink.keyFile ?? '');
  const relay = new Relay(options);
  const inbox = { admit: (target: string) => relay.admit(target) };
  const limits = { keptBytes: mostBodyBytes, bodyBytes: mostBodyBytes };
  try {
    const server = await openSinkServer({ inbox, clock, host, port, certificate, limits });
    return {
      ...server,
      close: async () => {
        await server.close();
        await relay.close();
      },
    };
  } catch (cause) {
    throw listenError({ host, port, hostOption: '--sink-listen', portOption: '--sink-listen' }, cause);
  }
}

class Relay {
  readonly #options: CallbackSideOptions;
  readonly #agent;

  constructor(options: CallbackSideOptions) {
    this.#options = options;
    // The client of a developer is on this machine or beside it.
    const http = { ...options.http, connectTimeoutMs: relayMs, responseTimeoutMs: relayMs };
    this.#agent = createAgent(http, 16);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  admit(target: string): Admission {
    const meant = this.#options.way().originalOf(target);
    if (meant === null) return { answer: answerStatus(404), record: () => Promise.resolve() };
    let last: ScriptedAnswer = answerStatus(413);
    return {
      answer: answerStatus(200),
      record: async (arrival, given) => {
        const isTooLarge = given?.kind === 'status' && given.status === 413;
        if (!isTooLarge) last = await this.#take(arrival, meant);
      },
      finally: () => last,
    };
  }

  async #take(
    arrival: ReceivedRequest,
    { token, url }: { readonly token: string; readonly url: string },
  ): Promise<ScriptedAnswer> {
    const { recorder, faults, board, rules, clock, closing } = this.#options;
    const { id, fill } = recorder.callback();
    const strike = faults.forCallback();
    const notes = strike.names.map((name) => `fault ${name}`);
    if (strike.names.length > 0) board.counts.struck += 1;
    const told = (answer: ScriptedAnswer, more: readonly string[] = []) => {
      const delivery: Delivery = { ...arrival, id, registration: token, answer: describeAnswer(answer) };
      fill(delivery, [...notes, ...more]);
      return answer;
    };
    if (strike.delayMs > 0) await clock.sleep(strike.delayMs, closing).catch(() => undefined);
    const kind = strike.end?.kind;
    if (kind === 'callback-lost') return told(answerStatus(200));
    if (kind === 'callback-status') return told(answerStatus(strike.end?.status ?? 503));
    const first = await this.#relay(arrival, url);
    const came = kind === 'callback-twice' ? await this.#relay(arrival, url) : first;
    const seen = rules.callback(came);
    // Whoever is not there cannot have taken it.
    return told(answerStatus(came ?? 502), seen);
  }

  /** The status that the client answers; null for none. Redirects are not followed, as the documents say of deliveries. */
  async #relay({ method, headers, body }: ReceivedRequest, url: string): Promise<number | null> {
    try {
      const answer = await send(url, {
        method: method as 'POST',
        headers: passedOn({ rawHeaders: headers.flat() }).flat(),
        body,
        dispatcher: this.#agent,
        signal: AbortSignal.any([this.#options.closing, AbortSignal.timeout(relayMs)]),
      });
      await answer.body.dump({ limit: 65_536 });
      return answer.statusCode;
    } catch {
      return null;
    }
  }
}
