import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { isDelivery, type Delivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import type { Redactor } from '../../core/redact.ts';
import { operations, type Api } from '../../core/operations.ts';
import type { ReceivedRequest } from '../../receive/inbox.ts';
import { viewOf } from '../../sink/view.ts';
import type { Journal } from '../../send/journal.ts';
import type { Holders } from '../recorded/holders.ts';
import type { RecordedJudge } from '../recorded/recordedJudge.ts';
import type { PassedView } from '../../sink/page/proxyNews.ts';
import type { ProxyBoard } from './board.ts';

interface RecorderOptions {
  readonly judge: RecordedJudge;
  readonly journal: Journal;
  readonly holders: Holders;
  readonly redactor: Redactor;
  readonly board: ProxyBoard;
  readonly notice: (text: string) => void;
  /** Shows a person what passed. */
  readonly show: (view: PassedView) => void;
  /** Evidence and bytes of bodies that are recorded and judged at most. */
  readonly most?: { readonly evidence: number; readonly bytes: number };
}

/** Evidence with what people are told besides. */
interface Seen {
  readonly evidence: Evidence;
  readonly notes: readonly string[];
}

/** A request and its answer, before it is known whose key it carried. */
type Passed = Omit<Exchange, 'key' | 'enterprise' | 'id' | 'check'>;

/** What fills a place in the order of the evidence; null for nothing. */
type Fill<T extends Evidence> = (evidence: T | null, notes?: readonly string[]) => void;

/** A reader of 256 MB takes what is recorded, and the oracles hold what they have seen. */
const usualMost = { evidence: 50_000, bytes: 200 * 1024 * 1024 };

/** Judges, records and shows what passes, in the order in which it came to its end. */
export class Recorder {
  readonly seen = { requests: 0, callbacks: 0 };
  readonly #options: RecorderOptions;
  readonly #order = new InOrder<Seen>((seen) => this.#take(seen));
  readonly #apis = new Set<Api>();
  readonly #titles = new Map(
    [...loadCatalogue().requirements, ...loadCatalogue().openPoints].map(({ id, title }) => [id, title]),
  );
  #bytes = 0;
  #isFull = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** The APIs that were addressed. */
  get apis(): ReadonlySet<Api> {
    return this.#apis;
  }

  /** An exchange ends now; whose key it carried is found out here. */
  exchange(exchange: Passed, notes: readonly string[]): Exchange {
    const { holders } = this.#options;
    const { outcome, request } = exchange;
    const line = { request, response: outcome.kind === 'response' ? outcome.response : null };
    holders.learn(line);
    this.seen.requests += 1;
    const named = {
      ...{ ...exchange, ...holders.of(line) },
      ...{ id: `x${this.seen.requests}`, check: 'proxy' },
    };
    if (named.operation !== null) this.#apis.add(operations[named.operation].api);
    this.#order.place()({ evidence: named, notes });
    return named;
  }

  /** The proxy answered in place of the target, which is shown, and neither recorded nor judged. */
  struck(exchange: Passed, notes: readonly string[]): void {
    const { holders, judge, board, show } = this.#options;
    const line = { request: exchange.request, response: null };
    holders.learn(line);
    const evidence = { ...exchange, ...holders.of(line), id: '', check: 'proxy' };
    judge.learn([evidence]);
    show(board.add({ ...this.#view(evidence), notes, violated: [] }));
  }

  /** A callback arrived, and what becomes of it is known later. */
  callback(): { readonly id: string; readonly fill: Fill<Delivery> } {
    this.seen.callbacks += 1;
    const fill = this.#order.place();
    return {
      id: `c${this.seen.callbacks}`,
      fill: (evidence, notes = []) => fill(evidence === null ? null : { evidence, notes }),
    };
  }

  /** Resolves when more may come. */
  drained(): Promise<void> | undefined {
    return this.#options.journal.drained();
  }

  #take({ evidence, notes }: Seen): void {
    const { judge, board, show } = this.#options;
    const { counts } = board;
    if (isDelivery(evidence)) counts.callbacks += 1;
    else counts.requests += 1;
    if (this.#isBeyond(evidence)) {
      counts.unrecorded += 1;
      board.changed();
      return;
    }
    judge.learn([evidence]);
    const one = { evidence, isOwn: false, isWhole: false, showsCredentials: true };
    judge.add(one);
    void judge.see(one);
    const broken = judge.observer.violatedBy(evidence.id);
    if (broken.length > 0) counts.violated += 1;
    const violated = broken.map((id) => ({ id, title: this.#titles.get(id) ?? '' }));
    show(board.add({ ...this.#view(evidence), notes, violated }));
  }

  #isBeyond(evidence: Evidence): boolean {
    const { notice, most = usualMost } = this.#options;
    this.#bytes += sizeOf(evidence);
    if (
      !this.#isFull &&
      (this.#bytes > most.bytes || this.seen.requests + this.seen.callbacks > most.evidence)
    ) {
      this.#isFull = true;
      notice('The recording is full: what follows is passed on, and neither recorded nor judged.');
    }
    return this.#isFull;
  }

  #view(evidence: Evidence): Omit<PassedView, 'seq' | 'notes' | 'violated'> {
    const { redactor } = this.#options;
    if (isDelivery(evidence)) {
      const view = viewOf(evidence, redactor);
      const { answer, startedAt, receivedAt } = evidence;
      const ms = receivedAt - startedAt;
      return {
        at: view.at,
        kind: 'callback',
        what: view.about,
        key: '',
        answer,
        ms,
        request: view,
        response: null,
      };
    }
    const { request, outcome, operation, key, timings } = evidence;
    const answer = outcome.kind === 'response' ? outcome.response : null;
    const asArrival = (part: Pick<ReceivedRequest, 'headers' | 'body' | 'truncated'>): ReceivedRequest => ({
      ...{ method: request.method, target: request.target, connection: '', ...part },
      ...{ startedAt: timings.sentAt, receivedAt: timings.receivedAt },
    });
    const { headers, body } = request;
    const view = viewOf(asArrival({ headers, body: body ?? new Uint8Array(), truncated: false }), redactor);
    return {
      ...{ at: view.at, kind: 'request', key: key ?? '', request: view },
      what: operation ?? `${view.method} ${view.target}`,
      answer: answer ? String(answer.status) : outcome.kind === 'failure' ? outcome.failure.reason : '',
      ms: Math.round(timings.received - timings.sent),
      response: answer ? viewOf(asArrival(answer), redactor) : null,
    };
  }
}

function sizeOf(evidence: Evidence): number {
  if (isDelivery(evidence)) return evidence.body.length + overheadBytes;
  const { request, outcome } = evidence;
  const answered = outcome.kind === 'response' ? outcome.response.body.length : 0;
  return (request.body?.length ?? 0) + answered + overheadBytes;
}

const overheadBytes = 1000;

/** Hands things on in the order in which their places were taken, whenever each of them is there. */
class InOrder<T> {
  readonly #take: (thing: T) => void;
  readonly #places: { thing: T | null; isThere: boolean }[] = [];

  constructor(take: (thing: T) => void) {
    this.#take = take;
  }

  /** Takes a place; returns what fills it. Null leaves it empty. */
  place(): (thing: T | null) => void {
    const own = { thing: null as T | null, isThere: false };
    this.#places.push(own);
    return (thing) => {
      if (own.isThere) return;
      own.thing = thing;
      own.isThere = true;
      this.#flush();
    };
  }

  #flush(): void {
    for (let [first] = this.#places; first?.isThere === true; [first] = this.#places) {
      this.#places.shift();
      if (first.thing !== null) this.#take(first.thing);
    }
  }
}
