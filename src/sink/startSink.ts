import { checkOptions } from '../core/knownOptions.ts';
import { randomBytes } from 'node:crypto';
import { systemClock } from '../core/clock.ts';
import { usageError } from '../core/errors.ts';
import type { Delivery } from '../core/evidence.ts';
import { Inbox, tokensFrom } from '../receive/inbox.ts';
import { openSinkServer } from '../receive/sinkServer.ts';
import { scriptForm } from './script.ts';

export interface StartSinkOptions {
  /** By default loopback. */
  readonly host?: string;
  /** By default 0, which selects a free one. */
  readonly port?: number;
  /** How it answers, in the form of `gatecheck sink --answer`: by default `200`, or for example `503x3,200`. */
  readonly answer?: string;
}

/** A callback sink for tests of programs that call back. */
export interface StartedSink extends AsyncDisposable {
  /** The address to register; plain HTTP, so for Web Check-in. */
  readonly url: string;
  /** Everything that has come so far, in the order of arrival. */
  readonly deliveries: readonly Delivery[];
  /** The next delivery that was not taken yet; rejects if none comes within `timeoutMs`, by default ten seconds. */
  next(timeoutMs?: number): Promise<Delivery>;
  /** Sets how it answers from now on. */
  answerWith(answer: string): void;
  close(): Promise<void>;
}

const known = { host: true, port: true, answer: true } as const;

/**
 * Starts a callback sink in this process.
 * @throws TypeError for an option that does not exist.
 */
export async function startSink(options: StartSinkOptions = {}): Promise<StartedSink> {
  checkOptions('startSink', options, known);
  const { host = '127.0.0.1', port = 0, answer = '200' } = options;
  const inbox = new Inbox({ clock: systemClock, newToken: tokensFrom(randomBytes(32).toString('hex')) });
  const mailbox = inbox.open(parse(answer));
  const deliveries: Delivery[] = [];
  let taken = 0;
  let wake: () => void = () => undefined;
  inbox.listen((delivery) => {
    deliveries.push(delivery);
    wake();
    return Promise.resolve();
  });
  const server = await openSinkServer({ inbox, clock: systemClock, host, port, certificate: null });
  const next = async (timeoutMs = 10_000): Promise<Delivery> => {
    const until = systemClock.now() + timeoutMs;
    for (;;) {
      const delivery = deliveries[taken];
      if (delivery) {
        taken += 1;
        return delivery;
      }
      const left = until - systemClock.now();
      if (left <= 0) throw new Error(`expected a delivery within ${timeoutMs} ms; got none`);
      const came = Promise.withResolvers<undefined>();
      wake = () => came.resolve(undefined);
      const cancel = systemClock.timer(left, wake);
      await came.promise.finally(cancel);
    }
  };
  return {
    ...{ url: `${server.url}/${mailbox.token}`, deliveries, next },
    answerWith: (text) => mailbox.answerWith(parse(text)),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function parse(answer: string) {
  const script = scriptForm.safeParse(answer);
  if (script.success) return script.data;
  throw usageError('BAD_ANSWER', `answer: ${script.error.issues[0]?.message ?? ''}`);
}
