import type { Exchange } from '../../core/evidence.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import type { SharedLimit } from '../../send/keyBudgets.ts';
import type { ApiRequest } from '../../send/request.ts';
import { LeftAlone } from '../attempt/signals.ts';
import { OperationOutages } from './operationOutages.ts';
import { patience } from './patience.ts';
import { describeLoss, describeWrongServer, inTrouble, lockedOut, refusedByLimit } from './reasons.ts';
import type { RunEnd } from './runEnd.ts';
import { isOfTheApi, isUnreached, statusOf } from './signs.ts';

/** What a run thinks of its target. All but the first two end the run. */
export type HealthState = 'ok' | 'doubtful' | 'away' | 'another server' | 'refusing' | 'locked out';

/** What is asked with ordinary reads: is the target there, or does something else answer in its place? */
type Doubt = 'away' | 'another server';

interface HealthOptions {
  readonly end: RunEnd;
  /** A valid read and one that must be refused, for each API. */
  readonly reads: () => readonly ApiRequest[];
  /** Sends one of them, once. By default nothing is asked, and every doubt is believed. */
  readonly ask?: ((read: ApiRequest) => Promise<Exchange>) | undefined;
  /** Puts labels in place of secrets. */
  readonly redact: (text: string) => string;
  readonly tell: (text: string) => void;
  /** Server errors are provoked, so they say nothing about the health of the deployment. */
  readonly provokesErrors?: boolean;
  /** No answer is a reason to stop. */
  readonly goesOn?: boolean;
}

/** An exchange that shows trouble, and when it came: a good answer to a request sent before that refutes nothing. */
interface Trouble {
  readonly id: string;
  readonly received: number;
}

/**
 * Hears every answer of a target, and decides whether it is still there. A deployment that fails only some requests is judged
 * for that; before a run ends, ordinary reads show whether it is one. After reads that were answered well, twice as many signs
 * of the same kind are needed.
 */
export class TargetHealth {
  readonly #options: HealthOptions;
  readonly #outages: OperationOutages;
  #state: HealthState = 'ok';
  #missing = 0;
  #refusals = 0;
  #errors = 0;
  /** Whether one of these errors is the application's own, not a gateway's. */
  #areItsOwn = false;
  /** When the target was last seen, or first missed. */
  #lastThere: number | null = null;
  #lastFailure: string | null = null;
  /** Failed exchanges since the target was last well. */
  #failed: Trouble[] = [];
  /** Answers that do not look like the API, since it was last seen. */
  #foreign: Trouble[] = [];
  #lastForeign: Exchange | null = null;
  readonly #looks = new Map<Doubt, Promise<void>>();
  /** How often the reads of a doubt were answered well. */
  readonly #unfounded = { away: 0, 'another server': 0 };
  #isOutage = false;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#outages = new OperationOutages(options.tell);
  }

  get state(): HealthState {
    const isDoubtful = this.#state === 'ok' && (this.#failed.length > 0 || this.#foreign.length > 0);
    return isDoubtful ? 'doubtful' : this.#state;
  }

  /** What was wrong with the last connection, in words; null if none failed. */
  get lastFailure(): string | null {
    return this.#lastFailure;
  }

  /** The failed exchanges since the target was last well: if it stays so, they are an outage. */
  get trouble(): ReadonlySet<string> {
    return idsOf(this.#failed);
  }

  /** The exchanges of the outage that ended the run: they say nothing about the rules. Empty if no outage did. */
  get outage(): ReadonlySet<string> {
    if (this.#state === 'another server') return idsOf(this.#foreign);
    return this.#isOutage ? this.trouble : new Set();
  }

  /** Notes what an exchange shows of the target. */
  see(exchange: Exchange): void {
    const status = statusOf(exchange);
    const isWell = status !== null && status < 500;
    if (!isWell || !this.#options.end.isStopped) note(this.#failed, exchange, isWell);
    if (status !== null) {
      const isFamiliar = isOfTheApi(exchange);
      note(this.#foreign, exchange, isFamiliar);
      if (!isFamiliar) this.#lastForeign = exchange;
    }
    this.#count(exchange, status);
    if (this.#options.provokesErrors !== true) this.#outages.see(exchange);
  }

  #count({ outcome, request, timings }: Exchange, status: number | null): void {
    if (outcome.kind === 'failure') this.#lastFailure = describeLoss(request.baseUrl, outcome.failure);
    this.#missing = status === null ? this.#missing + 1 : 0;
    if (status !== null && status !== 429) this.#refusals = 0;
    const isAway = isUnreached(status);
    if (!isAway || this.#lastThere === null) this.#lastThere = timings.received;
    const isLongAway = timings.received - this.#lastThere >= patience.awayMs;
    if (isLongAway && this.#isEnough(this.#missing, patience.missing, 'away')) void this.#look('away');
    const isWell = status !== null && status < 500;
    this.#errors = isWell ? 0 : this.#errors + 1;
    this.#areItsOwn = !isWell && (this.#areItsOwn || !isAway);
    const isInTrouble = this.#isEnough(this.#errors, patience.errors, 'away');
    if (isInTrouble && (this.#areItsOwn || isLongAway) && this.#options.provokesErrors !== true)
      void this.#look('away', inTrouble);
  }

  #isEnough(count: number, needed: number, doubt: Doubt): boolean {
    return count >= needed * 2 ** this.#unfounded[doubt];
  }

  /** What a request has to wait for; null for nothing. Throws `LeftAlone` if its kind is left alone. */
  admit(request: ApiRequest): Promise<void> | null {
    const why = this.#outages.of(request);
    if (why !== null) throw new LeftAlone(why);
    return this.#looks.get('away') ?? null;
  }

  /** What the sender waits for before it judges its answer; null for nothing. */
  answered(): Promise<void> | null {
    const isEnough = this.#isEnough(this.#foreign.length, patience.foreign, 'another server');
    return isEnough ? this.#look('another server') : null;
  }

  /** Sends reads if the last answers leave a doubt: at the end of a run, something may have replaced the deployment. */
  async settle(): Promise<void> {
    if (this.#foreign.length > 0) await this.#look('another server');
  }

  /** A request that the rate limit refused for good. */
  refused(): void {
    this.#refusals += 1;
    if (this.#refusals >= patience.refusals) this.refuseAll();
  }

  /** The rate limit refuses whatever is sent. */
  refuseAll(): void {
    this.#become('refusing', refusedByLimit);
  }

  /** No key has room for `ms`; `shared` are the limits that keys were seen to share. */
  lockOut(ms: number, shared: readonly SharedLimit[]): void {
    this.#become('locked out', lockedOut(ms, shared));
  }

  /** The target is away; by default for the last failure. */
  lose(reason: string | null = null): void {
    this.#become('away', reason);
  }

  #become(state: Exclude<HealthState, 'ok' | 'doubtful'>, reason: string | null): void {
    const { end } = this.#options;
    if (end.isStopped) return;
    this.#state = state;
    end.stop('target-lost', reason);
  }

  /** Never rejects because of a missing answer; rejects if the run ends meanwhile. */
  #look(doubt: Doubt, reason: string | null = null): Promise<void> {
    const known = this.#looks.get(doubt);
    if (known !== undefined) return known;
    const look = this.#find(doubt, reason).finally(() => this.#looks.delete(doubt));
    this.#looks.set(doubt, look);
    // Whoever waits gets the rejection; nobody may.
    look.catch(() => undefined);
    return look;
  }

  async #find(doubt: Doubt, reason: string | null): Promise<void> {
    const { ask, end, redact, goesOn } = this.#options;
    if (end.isStopped) return;
    const answers = ask === undefined || goesOn === true ? [] : await answersTo(this.#options.reads(), ask);
    // No request was left for them: what seems away counts as away, and something strange stays strange.
    if (answers === null && doubt === 'another server') return;
    const isWell = doubt === 'away' ? isThere : isOfTheApi;
    if (goesOn === true || answers?.some(isWell)) this.#unfounded[doubt] += 1;
    else if (doubt === 'away') {
      this.#isOutage = reason === inTrouble;
      this.lose(reason);
    } else if (this.#lastForeign !== null)
      this.#become('another server', redact(describeWrongServer(this.#lastForeign, true)));
    if (doubt === 'another server' && this.#state === 'ok') this.#foreign = [];
  }
}

/** Answered without a server error. */
function isThere(exchange: Exchange): boolean {
  return (statusOf(exchange) ?? 500) < 500;
}

/** Adds an exchange to the trouble, or takes from it what an answer without trouble refutes. */
function note(seen: Trouble[], { id, timings }: Exchange, isWell: boolean): void {
  if (!isWell) seen.push({ id, received: timings.received });
  else if (seen.length > 0)
    seen.splice(0, seen.length, ...seen.filter((one) => one.received >= timings.sent));
}

function idsOf(seen: readonly Trouble[]): ReadonlySet<string> {
  return new Set(seen.map(({ id }) => id));
}

/**
 * The answers to reads, all at once, and once: one after another, with repetitions, they would wait for minutes for answers that do
 * not come. Null if no budget is left for any; rejects if the run has ended.
 */
async function answersTo(
  reads: readonly ApiRequest[],
  ask: (read: ApiRequest) => Promise<Exchange>,
): Promise<readonly Exchange[] | null> {
  const ended = await Promise.allSettled(reads.map((read) => ask({ ...read, once: true })));
  const answers = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (answers.length > 0) return answers;
  for (const one of ended)
    if (one.status === 'rejected' && !(one.reason instanceof BudgetExhausted)) throw one.reason;
  return null;
}
