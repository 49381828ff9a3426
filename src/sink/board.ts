import { ChangeSignal } from '../core/changeSignal.ts';
import type { Delivery } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import type { ReceivedRequest, Inbox } from '../receive/inbox.ts';
import type { Mailbox } from '../receive/mailbox.ts';
import type { Script } from '../receive/script.ts';
import { renderScript } from './script.ts';
import {
  credentialsOf,
  judgeCredential,
  wireForms,
  type Expectation,
  type SeenCredential,
} from './options.ts';
import type { AddressView, ArrivalView, BoardEntry, CredentialVerdict, News } from './page/news.ts';
import { viewOf } from './view.ts';

/** What is new to a reader, and its position afterwards. */
interface BoardNews extends News {
  readonly cursor: Cursor;
}

interface Cursor {
  readonly version: number;
  readonly seq: number;
  readonly epoch: number;
}

interface Address {
  readonly mailbox: Mailbox;
  readonly label: string;
  readonly url: string;
  script: Script;
  expectation: Expectation | null;
  mismatches: number;
}

interface Kept {
  readonly seq: number;
  readonly address: Address | null;
  readonly answer: string;
  readonly view: ArrivalView;
  readonly credentials: readonly SeenCredential[];
}

interface BoardOptions {
  readonly inbox: Inbox;
  readonly redactor: Redactor;
  /** Base address of the addresses that it gives out, without a trailing slash; called when an address is opened. */
  readonly baseUrl: () => string;
  /** Number of arrivals that it remembers. */
  readonly keep?: number;
}

export const start: Cursor = { version: -1, seq: 0, epoch: -1 };

/** The addresses of a sink and what reached them last; readers follow it at their own pace. */
export class Board {
  readonly #options: BoardOptions;
  readonly #addresses: Address[] = [];
  readonly #change = new ChangeSignal();
  #kept: Kept[] = [];
  #seq = 0;
  #epoch = 0;

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  /** Gives out an address. */
  open(label: string, script: Script, expectation: Expectation | null): AddressView {
    const mailbox = this.#options.inbox.open(script);
    const url = `${this.#options.baseUrl()}/${mailbox.token}`;
    const address = { mailbox, label, url, script, expectation: null, mismatches: 0 };
    this.#addresses.push(address);
    if (expectation) this.expect(mailbox.token, expectation);
    this.#change.changed();
    return this.#show(address);
  }

  get addresses(): readonly AddressView[] {
    return this.#addresses.map((address) => this.#show(address));
  }

  get summary(): Pick<BoardNews, 'addresses' | 'strays'> {
    return { addresses: this.addresses, strays: this.#options.inbox.strays };
  }

  /** False if there is no such address. */
  answerWith(token: string, script: Script): boolean {
    const address = this.#find(token);
    if (!address) return false;
    address.script = script;
    address.mailbox.answerWith(script);
    this.#change.changed();
    return true;
  }

  /** Checks this header from now on, and in earlier arrivals. False if there is no such address. */
  expect(token: string, expectation: Expectation | null): boolean {
    const address = this.#find(token);
    if (!address) return false;
    const { redactor } = this.#options;
    for (const form of wireForms(expectation?.value ?? ''))
      redactor.add(form, `credential of ${address.label}`);
    address.expectation = expectation;
    address.mismatches = this.#kept.filter((kept) => kept.address === address && this.#isWrong(kept)).length;
    this.#epoch += 1;
    this.#change.changed();
    return true;
  }

  add(delivery: Delivery): BoardEntry {
    return this.#keep(delivery, delivery.answer, this.#find(delivery.registration));
  }

  /** A request to an address that was not given out. */
  addStray(arrival: ReceivedRequest, answer: string): BoardEntry {
    return this.#keep(arrival, answer, null);
  }

  /** What is new to a reader at `cursor`. */
  since(cursor: Cursor): BoardNews {
    const reset = cursor.epoch !== this.#epoch;
    const from = reset ? 0 : cursor.seq;
    return {
      reset,
      addresses: this.addresses,
      arrivals: this.#kept.filter(({ seq }) => seq > from).map((kept) => this.#entry(kept)),
      total: this.#options.inbox.arrived,
      strays: this.#options.inbox.strays,
      cursor: { version: this.#change.version, seq: this.#seq, epoch: this.#epoch },
    };
  }

  /** Resolves once there is something new to a reader at `cursor`, or the signal aborts. */
  news(cursor: Cursor, signal: AbortSignal): Promise<void> {
    return this.#change.after(cursor.version, signal);
  }

  #keep(arrival: ReceivedRequest, answer: string, address: Address | null): BoardEntry {
    const { redactor, keep = 200 } = this.#options;
    this.#seq += 1;
    const credentials = credentialsOf(arrival.headers, redactor);
    const kept = { seq: this.#seq, address, answer, credentials, view: viewOf(arrival, redactor) };
    if (address && this.#isWrong(kept)) address.mismatches += 1;
    this.#kept.push(kept);
    if (this.#kept.length > keep) this.#kept = this.#kept.slice(-keep);
    this.#change.changed();
    return this.#entry(kept);
  }

  #entry(kept: Kept): BoardEntry {
    const { seq, address, answer, view } = kept;
    return { ...view, seq, answer, label: address?.label ?? null, credential: this.#judge(kept) };
  }

  #judge({ credentials, address }: Pick<Kept, 'credentials' | 'address'>): CredentialVerdict {
    return judgeCredential(credentials, address?.expectation ?? null, this.#options.redactor);
  }

  #isWrong(kept: Pick<Kept, 'credentials' | 'address'>): boolean {
    const { status } = this.#judge(kept);
    return status === 'mismatch' || status === 'missing';
  }

  #show({ mailbox, label, url, script, expectation, mismatches }: Address): AddressView {
    const { token, count } = mailbox;
    const expects = expectation?.name ?? null;
    return { token, label, url, answer: renderScript(script), expects, count, mismatches };
  }

  #find(token: string): Address | null {
    return this.#addresses.find(({ mailbox }) => mailbox.token === token) ?? null;
  }
}
