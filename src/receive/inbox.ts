import { createHash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Delivery } from '../core/evidence.ts';
import { Mailbox } from './mailbox.ts';
import { describeAnswer, isAcceptance, answerStatus, type Script, type ScriptedAnswer } from './script.ts';

/** A request that reached the sink, as it was on the wire. */
export type ReceivedRequest = Pick<
  Delivery,
  'method' | 'target' | 'headers' | 'body' | 'truncated' | 'startedAt' | 'receivedAt' | 'connection'
>;

/** How a request that reached the sink is handled. */
export interface Admission {
  readonly answer: ScriptedAnswer;
  /** Stores it; the answer may be sent once this resolves. `given` is the answer if it differs from the script's. */
  readonly record: (arrival: ReceivedRequest, given?: ScriptedAnswer) => Promise<void>;
  /** Called once it is stored, if the answer is only known then. */
  readonly finally?: () => ScriptedAnswer;
}

interface InboxOptions {
  readonly clock: Clock;
  /** Makes the unguessable part of an address: 22 characters of base64url. */
  readonly newToken: () => string;
}

/** Gets a delivery before it is answered; the answer waits for the promise. */
type DeliveryListener = (delivery: Delivery) => Promise<void> | void;

/** Deliveries below this path are accepted and counted, but ignored: checks only need something to register. */
const unwatchedPath = '/gatecheck';

/** Finds the registration of a delivery by its path, scripts the answer, and stores the delivery. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #mailboxes = new Map<string, Mailbox>();
  #listener: DeliveryListener = () => undefined;
  #arrived = 0;
  #strays = 0;
  #unwatched = 0;
  readonly #waiting = new Set<() => void>();

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Number of deliveries to addresses that this run did not give out: of an earlier run, or from elsewhere. */
  get strays(): number {
    return this.#strays;
  }

  /** Number of deliveries to addresses that are not watched. */
  get unwatched(): number {
    return this.#unwatched;
  }

  /** Number of deliveries that were not accepted and may still be repeated. */
  get refused(): number {
    return [...this.#mailboxes.values()].reduce((sum, { refused }) => sum + refused, 0);
  }

  /** Number of deliveries to mailboxes. */
  get arrived(): number {
    return this.#arrived;
  }

  /** From now on, every delivery to a mailbox goes to this listener first. */
  listen(listener: DeliveryListener): void {
    this.#listener = listener;
  }

  open(script?: Script): Mailbox {
    const mailbox = new Mailbox(this.#options.newToken(), script);
    this.#mailboxes.set(mailbox.token, mailbox);
    return mailbox;
  }

  /** Decides by the path how a request is handled, before its body is read. */
  admit(target: string): Admission {
    const mailbox = this.#mailboxOf(target);
    if (mailbox) return this.#delivery(mailbox);
    const path = target.split('?', 1)[0] ?? '';
    if (path === unwatchedPath || path.includes(`${unwatchedPath}/`)) {
      this.#unwatched += 1;
      return { answer: answerStatus(200), record: () => Promise.resolve() };
    }
    this.#strays += 1;
    return { answer: answerStatus(404), record: () => Promise.resolve() };
  }

  /** Resolves at the next delivery, or after `ms`; the caller finds out which. */
  async nextArrival(ms: number, signal?: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const over = signal ? AbortSignal.any([signal, enough.signal]) : enough.signal;
    let wake: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => this.#waiting.add((wake = resolve)));
    const timeout = this.#options.clock.sleep(ms, over).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
    });
    try {
      await Promise.race([arrival, timeout]);
    } finally {
      // With a reason of its own, since making a DOMException takes longer than all else here.
      enough.abort('enough');
      this.#waiting.delete(wake);
    }
  }

  #delivery(mailbox: Mailbox): Admission {
    const answer = mailbox.nextAnswer();
    return {
      answer,
      record: async (arrival, given = answer) => {
        this.#arrived += 1;
        const id = `c${this.#arrived}`;
        const delivery = { ...arrival, id, registration: mailbox.token, answer: describeAnswer(given) };
        mailbox.keep(delivery, isAcceptance(given));
        const taking = this.#listener(delivery);
        if (taking !== undefined) await taking;
        for (const wake of this.#waiting) wake();
      },
    };
  }

  /** The token may be anywhere in the path, since a proxy may add a prefix. */
  #mailboxOf(target: string): Mailbox | null {
    const path = target.split('?', 1)[0] ?? '';
    for (const segment of path.split('/')) {
      const mailbox = this.#mailboxes.get(segment);
      if (mailbox) return mailbox;
    }
    return null;
  }
}

/** Tokens that cannot be guessed, and that are the same for the same secret. */
export function tokensFrom(secret: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${secret}\n${count}`).digest('base64url').slice(0, 22);
  };
}
