import { isDelivery, type Delivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import type { Known, Oracle, Watch } from '../../judge/kernel/oracle.ts';
import { noSamples, type Sample } from '../../judge/kernel/sample.ts';
import type { Journal } from '../../send/journal.ts';
import type { Note } from '../../trace/evidence.ts';
import { isGeneral, type Watching, WatchIndex } from './countedAnswers.ts';
import { exchangeEvent, type Listener } from './events.ts';
import { Latencies } from './latencies.ts';
import type { SecretWatch } from './secretWatch.ts';
import type { ServerClock } from '../clock/serverClock.ts';
import { PassiveTallies } from '../findings/tally.ts';

interface ObserverOptions {
  readonly oracles: readonly Oracle[];
  readonly secrets: SecretWatch;
  readonly serverClock: ServerClock;
  /** What the oracles may go by besides the traffic; by default how far the clock was moved. */
  readonly known?: Known;
  readonly journal: Journal;
  readonly listener: Listener;
  /** Called after recording evidence that made an oracle say something new about a requirement. */
  readonly onNews?: () => unknown;
}

/** Gets all traffic of a run first: secrets are learned, the oracles judge, and only then is it recorded. */
export class Observer {
  readonly tallies = new PassiveTallies();
  readonly latencies = new Latencies();
  readonly secrets: SecretWatch;
  readonly serverClock: ServerClock;
  readonly #options: ObserverOptions;
  readonly #violated = new Map<string, readonly string[]>();
  readonly #lists = new Map<string, readonly string[]>();
  readonly #ears = new Map<string, Ear>();
  /** The requirements that the making of a fixture was seen to keep, by its exchanges. */
  readonly #kept = new Map<string, readonly string[]>();
  #watches: readonly Watching[] = [];
  /** Oracles that judge exchanges; the next one has those that judge deliveries. */
  #ofExchanges = new WatchIndex([]);
  #ofDeliveries: readonly Watching[] = [];

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.secrets = options.secrets;
    this.serverClock = options.serverClock;
    this.forget();
  }

  /** What was deleted on the target may come again with other ids and times: the oracles start anew. */
  forget(): void {
    this.end();
    const { oracles, serverClock, known = serverClock } = this.#options;
    this.#watches = oracles.map((oracle) => ({ oracle, watch: oracle.createWatch(known) }));
    this.#ofExchanges = new WatchIndex(this.#watches);
    this.#ofDeliveries = this.#watches.filter(({ watch }) => watch.delivery);
  }

  /** Nothing more comes: judges what was still waiting. */
  end(): void {
    for (const { oracle, watch } of this.#watches) {
      try {
        for (const sample of watch.end?.() ?? []) {
          this.tallies.add(sample.evidence?.[0] ?? null, sample);
        }
      } catch (error) {
        this.#spoil(oracle, 'the end', error);
      }
    }
  }

  see(exchange: Exchange): void {
    const { journal, listener } = this.#options;
    const { news } = this.tallies;
    this.secrets.observe(exchange);
    this.serverClock.observe(exchange);
    journal.exchange(exchange, this.#remembered(exchange, this.#judgeExchange(exchange)));
    if (isFailure(exchange)) this.#suspect(exchange);
    if (this.tallies.news > news) this.#options.onNews?.();
    const event = exchangeEvent(exchange);
    this.latencies.add(event.operation ?? 'other', event.durationMs);
    listener(event);
  }

  /** Resolves once the journal can take more, so that a flood of deliveries is slowed down instead of piling up. */
  async seeDelivery(delivery: Delivery): Promise<void> {
    const { journal, listener } = this.#options;
    const violated = this.#judge(delivery, this.#ofDeliveries, ofDelivery);
    journal.delivery(delivery, this.#remembered(delivery, violated));
    listener({ name: 'callback', id: delivery.id, answer: delivery.answer });
    await journal.drained();
  }

  /** What was not on the wire: recorded, and known to the oracles from then on. */
  note(note: Note): void {
    this.heed(note);
    this.#options.journal.note(note);
  }

  heed(note: Note): void {
    for (const { watch } of this.#watches) watch.note?.(note);
  }

  /** The requirements that the evidence with this id was seen to break. */
  violatedBy(id: string): readonly string[] {
    return this.#violated.get(id) ?? [];
  }

  /** Tells what the oracles say about the traffic of a check, or the deliveries of a registration, until it is given null. */
  hear(of: string, ear: Ear | null): void {
    if (ear === null) this.#ears.delete(of);
    else this.#ears.set(of, ear);
  }

  /** The requirements that the making of a fixture was seen to keep. */
  keptBy({ id }: Evidence): readonly string[] {
    return this.#kept.get(id) ?? nothing;
  }

  /** A check brings about again what it hears. */
  #suspect(exchange: Exchange): void {
    const ear = this.#earOf(exchange);
    if (!ear) return;
    for (const { watch } of this.#watches)
      for (const sample of watch.suspicion?.(exchange) ?? noSamples) ear(exchange, sample);
  }

  /** Remembers what was broken. Most broken answers break the same rules, and share one list. */
  #remembered({ id }: Evidence, violated: readonly string[]): readonly string[] {
    if (violated.length === 0) return violated;
    const name = violated.join();
    const list = this.#lists.get(name) ?? violated;
    this.#lists.set(name, list);
    this.#violated.set(id, list);
    return list;
  }

  /** What holds of an answer holds of an equal one. */
  #judgeExchange(exchange: Exchange): readonly string[] {
    const { ofAnswers, book, others } = this.#ofExchanges.concerned(exchange);
    const known = book.find(exchange);
    if (known) {
      this.tallies.repeat(known.samples);
      const ear = this.#earOf(exchange);
      if (ear) for (const sample of known.samples) ear(exchange, sample);
      return this.#judge(exchange, known.asked, ofExchange);
    }
    const samples: Sample[] = [];
    const special = new Set<Watch>();
    const violated = this.#judge(exchange, ofAnswers, (watch, one) => {
      const said = ofExchange(watch, one);
      if (said.every(isGeneral)) samples.push(...said);
      else special.add(watch);
      return said;
    });
    book.keep(exchange, {
      samples,
      asked: [...ofAnswers.filter(({ watch }) => special.has(watch)), ...others],
    });
    return [...violated, ...this.#judge(exchange, others, ofExchange)];
  }

  /** Lets oracles judge; returns what this evidence violates. */
  #judge<E extends Evidence>(evidence: E, watching: readonly Watching[], ask: Ask<E>): readonly string[] {
    let violated: string[] | null = null;
    const own = this.#earOf(evidence);
    for (const { oracle, watch } of watching) {
      try {
        const samples = ask(watch, evidence);
        if (samples === noSamples) continue;
        for (const sample of samples) {
          // An exchange may decide about an earlier delivery, which is recorded already.
          const shown = sample.evidence?.[0] ?? evidence;
          const ear = shown === evidence ? own : this.#earOf(shown);
          ear?.(shown, sample);
          if (this.tallies.add(shown, sample) && shown === evidence)
            (violated ??= []).push(sample.requirement);
        }
      } catch (error) {
        this.#spoil(oracle, evidence.id, error);
      }
    }
    return violated ?? nothing;
  }

  #earOf(evidence: Evidence): Ear | undefined {
    if (isDelivery(evidence)) return this.#ears.get(evidence.registration);
    return evidence.check.startsWith('fixture.') ? this.#ofFixture : this.#ears.get(evidence.check);
  }

  readonly #ofFixture: Ear = ({ id }, { requirement, judgement }) => {
    if (judgement.status === 'holds') this.#kept.set(id, [...(this.#kept.get(id) ?? nothing), requirement]);
  };

  /** An oracle that throws only spoils its own verdict. */
  #spoil({ verifies }: Oracle, over: string, error: unknown): void {
    this.tallies.addFault(verifies, `a fault of Gatecheck over ${over}: ${String(error)}`);
  }
}

function isFailure({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.status === 500;
}

/** Gets each sample of an oracle, with the evidence that shows it. */
export type Ear = (shown: Evidence, sample: Sample) => unknown;

const nothing: readonly string[] = Object.freeze([]);

type Ask<E extends Evidence> = (watch: Watch, evidence: E) => readonly Sample[];

const ofExchange: Ask<Exchange> = (watch, exchange) => watch.exchange?.(exchange) ?? noSamples;
const ofDelivery: Ask<Delivery> = (watch, delivery) => watch.delivery?.(delivery) ?? noSamples;
