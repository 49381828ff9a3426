import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import type { Listener } from '../../engine/observe/events.ts';
import { isBroken } from '../../judge/kernel/weight.ts';
import { noJournal, type Journal } from '../../send/journal.ts';

/** Listeners for what a run finds while it runs. */
export interface Watching {
  /** Called for every event. */
  readonly listener?: Listener;
  /** Called at once with the rows that an oracle sees violated. */
  readonly onViolated?: (rows: readonly string[]) => void;
  /** Called for each exchange after it was judged. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** Counts the requests until something wrong was answered. */
export class FirstFinding {
  requests = 0;
  at: number | null = null;
  readonly tellers = new Set<string>();
  /** Subscribes with a callback address, by the check that sent them: it causes what is delivered there. */
  readonly #registered: { readonly check: string; readonly body: string }[] = [];
  /** The number of each exchange, and the check that sent it. */
  readonly #exchanges = new Map<string, { readonly number: number; readonly check: string }>();
  readonly #options: Watching;

  constructor(options: Watching = {}) {
    this.#options = options;
  }

  /** A violation that an oracle sees is certain at once, long before its check is finished. */
  readonly journal: Journal = {
    ...noJournal,
    exchange: (exchange, violated) => {
      this.#options.onExchange?.(exchange);
      const { id, check, operation, request } = exchange;
      this.#exchanges.set(id, { number: this.requests + 1, check });
      const { body } = request;
      if (body !== null && operation?.endsWith('.subscribe') === true) this.#note(check, body);
      if (violated.length === 0) return;
      this.tellers.add(check);
      this.at ??= this.requests + 1;
      this.#options.onViolated?.(violated);
    },
    delivery: ({ registration }, violated) => {
      if (violated.length === 0) return;
      this.at ??= this.requests;
      const cause = this.#registered.findLast(({ body }) => body.includes(registration));
      if (cause) this.tellers.add(cause.check);
      this.#options.onViolated?.(violated);
    },
  };

  readonly listener: Listener = (event) => {
    if (event.name === 'exchange') this.requests += 1;
    this.#options.listener?.(event);
  };

  /** What is known only at the end counts from the answer that was wrong. */
  conclude(findings: readonly Finding[]): void {
    for (const { requirement, severity = 'fail', check, decisive } of findings) {
      if (!isBroken({ level: loadCatalogue().get(requirement).level, status: severity })) continue;
      const shown = decisive === undefined ? undefined : this.#exchanges.get(decisive);
      this.at = Math.min(this.at ?? Infinity, shown?.number ?? this.requests);
      this.tellers.add(shown?.check ?? check);
    }
  }

  #note(check: string, bytes: Uint8Array): void {
    const body = Buffer.from(bytes).toString('latin1');
    if (body.includes('callbackUrl')) this.#registered.push({ check, body });
  }
}
