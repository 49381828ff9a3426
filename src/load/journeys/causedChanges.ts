import type { Delivery, Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../judge/kernel/recentMap.ts';
import type { WebhookEvent } from '../../spec/world/webhookEvent.ts';
import { Durations } from '../summary/histogram.ts';
import type { LoadSummary } from '../summary/summarySchema.ts';

/** A change that the load caused, and what its webhook must say. */
export interface Change {
  /** The rule that its webhook is due by. */
  readonly requirement: string;
  /** Id of the record, or name of the leg. */
  readonly subject: string;
  /** What it has become; null where only the mark tells. */
  readonly status: string | null;
  /** The unique message of this change. */
  readonly mark: string;
  /** Address that has to receive it. */
  readonly registration: string;
  /** Wall-clock time at which it was requested. */
  readonly askedAt: number;
  /** The last answer that its partner got before. */
  readonly evidence: Exchange | null;
}

/** Number of latest changes whose repeated webhooks are still recognized. */
const mostSeen = 20_000;
/** Most retries that are counted separately. */
const mostTurns = 10;

/** What is remembered about a change whose webhook has come. */
interface Told {
  readonly registration: string;
  readonly askedAt: number;
  /** When it last came, and how often it was repeated. */
  at: number;
  turns: number;
  /** Whether the sink has taken it: one that is in trouble refuses at first. */
  isTaken: boolean;
}

/** The changes that a load causes, until the webhook of each has come: at least once, and to the right address. */
export class CausedChanges {
  /** From a change to the delivery that the sink took. */
  readonly #untilTaken = new Durations();
  readonly #open = new Map<string, Change>();
  /** By address. */
  readonly #latest = new RecentMap<string, Change>(mostSeen);
  readonly #counts = new Map<string, { caused: number; told: number }>();
  #caused = 0;
  #told = 0;
  #taken = 0;
  #repeated = 0;
  readonly #seen = new Map<string, Told>();
  readonly #retries: Durations[] = [];

  caused(change: Change): void {
    this.#caused += 1;
    this.#countOf(change).caused += 1;
    this.#open.set(change.mark, change);
    this.#latest.set(change.registration, change);
  }

  /** The change did not happen, so no webhook is due. */
  withdraw(mark: string): void {
    const change = this.#open.get(mark);
    if (change === undefined) return;
    this.#open.delete(mark);
    this.#caused -= 1;
    this.#countOf(change).caused -= 1;
  }

  /** Takes a delivery; returns how long after its change it came, or null if it belongs to none. */
  note(delivery: Delivery, mark: string): number | null {
    const { registration, receivedAt } = delivery;
    const change = this.#open.get(mark);
    if (change?.registration !== registration) {
      this.#noteAgain(delivery, mark);
      return null;
    }
    const { askedAt } = change;
    const told = { registration, askedAt, at: receivedAt, turns: 0, isTaken: false };
    this.#open.delete(mark);
    this.#seen.set(mark, told);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostSeen && oldest !== undefined) this.#seen.delete(oldest);
    this.#told += 1;
    this.#countOf(change).told += 1;
    this.#noteTaken(told, delivery);
    return receivedAt - askedAt;
  }

  /** The change that a webhook without its message tells of: the latest one of its address, where record and status are the same. */
  markOf(
    registration: string,
    { checkinId, changes }: Pick<WebhookEvent, 'checkinId' | 'changes'>,
  ): string | null {
    const change = this.#latest.get(registration);
    const isIt = change !== undefined && change.status !== null && change.status === changes.status;
    return isIt && change.subject === checkinId ? change.mark : null;
  }

  /** Intervals between one delivery of a change and the next, by their number: how the deployment retries. */
  get retries(): NonNullable<LoadSummary['changes']>['retries'] {
    return this.#retries.map((durations, index) => ({ turn: index + 1, interval: durations.percentiles }));
  }

  /** Whether its webhook has come, whatever the sink answered. */
  isTold(mark: string): boolean {
    return this.#seen.has(mark);
  }

  /** Whether its webhook has come and was taken: what the sink refused, its partner has not heard. */
  isTaken(mark: string): boolean {
    return this.#seen.get(mark)?.isTaken === true;
  }

  /** A change of a rule whose webhook has not come, with what its partner was answered before where any has that. */
  exampleOf(requirement: string): Change | undefined {
    const open = [...this.#open.values()].filter((change) => change.requirement === requirement);
    return open.find(({ evidence }) => evidence !== null) ?? open[0];
  }

  /** How many changes each rule was about, and how many webhooks of them came. */
  get byRequirement(): ReadonlyMap<string, { readonly caused: number; readonly told: number }> {
    return this.#counts;
  }

  #countOf({ requirement }: Change): { caused: number; told: number } {
    const known = this.#counts.get(requirement) ?? { caused: 0, told: 0 };
    this.#counts.set(requirement, known);
    return known;
  }

  #noteTaken(told: Told, { registration, receivedAt, answer }: Delivery): void {
    if (told.isTaken || told.registration !== registration || !/^2\d\d\b/.test(answer)) return;
    told.isTaken = true;
    this.#taken += 1;
    this.#untilTaken.record(receivedAt - told.askedAt);
  }

  #noteAgain(delivery: Delivery, mark: string): void {
    const { receivedAt } = delivery;
    const seen = this.#seen.get(mark);
    if (!seen) return;
    this.#noteTaken(seen, delivery);
    this.#repeated += 1;
    if (seen.turns < mostTurns) (this.#retries[seen.turns] ??= new Durations()).record(receivedAt - seen.at);
    seen.turns += 1;
    seen.at = receivedAt;
  }

  get counts(): {
    readonly caused: number;
    readonly told: number;
    readonly taken: number;
    readonly lost: number;
    readonly repeated: number;
  } {
    const [caused, told, taken, repeated] = [this.#caused, this.#told, this.#taken, this.#repeated];
    return { caused, told, taken, lost: this.#open.size, repeated };
  }

  /** The summary for the result file. */
  get summary(): NonNullable<LoadSummary['changes']> {
    const untilTaken = this.#taken === 0 ? {} : { untilTaken: this.#untilTaken.percentiles };
    return { ...this.counts, ...untilTaken, retries: this.retries };
  }
}
