import type { Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import type { Call } from '../../trace/call.ts';
import { keyIn, type Step } from '../../trace/evidence.ts';
import { sightsIn } from './sights.ts';

/** Whose a record is, as an answer told. */
interface Owned {
  readonly enterprise: string;
  readonly by: Exchange;
  /** Whether a subscribe returned it: it belongs to the first enterprise to which one does. Others may be shown what is not theirs. */
  readonly isMade: boolean;
  /** Whether a status has shown it. */
  readonly isRead: boolean;
}

/** How many milliseconds a copy may be late with a new record. */
export const lateMs = 3_000;

/** Shorter ids may be running numbers of each enterprise, or mean something else in an answer. */
export const distinctive = 8;

/** Which enterprise each record belongs to. */
export class Owners {
  readonly #records = new RecentMap<string, Owned>();
  readonly #owning = new Set<string>();
  /** The booking numbers and short ids of each enterprise, the first subscribe that told each, and the shapes of ids. */
  readonly #numbers = new RecentMap<string, true>();
  readonly #numbered = new RecentMap<string, Exchange>();
  readonly #shapes = new RecentMap<string, true>(1_000);
  readonly #revoked = new Set<string>();

  learn({ enterprise, exchange, op }: Call): void {
    if (enterprise === null) return;
    for (const { record } of sightsIn(exchange)) {
      const { checkin_id: id, booking_id: number } = record;
      if (typeof id !== 'string') continue;
      for (const short of [
        ...(typeof number === 'number' ? [`${number}`] : []),
        ...(id.length < distinctive ? [id] : []),
      ]) {
        this.#numbers.set(`${enterprise} ${short}`, true);
        if (op === 'wci.subscribe' && !this.#numbered.has(short)) this.#numbered.set(short, exchange);
      }
      this.#shapes.set(`${enterprise} ${shapeOf(id)}`, true);
      const known = this.#records.get(id);
      const isMade = op === 'wci.subscribe' && id.length >= distinctive;
      const isRead = known?.isRead === true || op === 'wci.status';
      if (known && (known.isMade || !isMade)) {
        if (isRead !== known.isRead) this.#records.set(id, { ...known, isRead });
        continue;
      }
      this.#records.set(id, { enterprise, by: exchange, isMade, isRead });
      if (isMade) this.#owning.add(enterprise);
    }
  }

  /** Whether nobody was shown a record of this id. */
  isUnknown(id: string): boolean {
    return this.#records.forgotten === 0 && !this.#records.has(id);
  }

  /** Whether an enterprise was shown a booking of this number. */
  isNumber(enterprise: string, id: string): boolean {
    return this.#numbers.has(`${enterprise} ${id}`);
  }

  /** Whether an id is written as those that an enterprise was shown. */
  isLikeOthers(enterprise: string, id: string): boolean {
    return this.#shapes.has(`${enterprise} ${shapeOf(id)}`);
  }

  /** The answer that showed a record first to an enterprise that it may belong to. */
  shownTo(enterprise: string | null, id: unknown): Exchange | null {
    const known = typeof id === 'string' ? this.#records.get(id) : undefined;
    return known?.enterprise === enterprise ? known.by : null;
  }

  /** Whether a copy may still be without the record: its maker has just been answered, and no status has shown it. */
  isPerhapsLate(id: unknown, now: number): boolean {
    const known = typeof id === 'string' ? this.#records.get(id) : undefined;
    return known?.isRead === false && now - known.by.timings.received < lateMs;
  }

  /** The subscribe that made a record of another enterprise; null for anything else. */
  foreign(enterprise: string, id: unknown): Exchange | null {
    const known = typeof id === 'string' ? this.#records.get(id) : undefined;
    return known?.isMade === true && known.enterprise !== enterprise ? known.by : null;
  }

  /** The subscribe that told another enterprise a number or a short id; null for one that the own enterprise was shown as well. */
  foreignNumber(enterprise: string, id: string | undefined): Exchange | null {
    const by = id === undefined || this.isNumber(enterprise, id) ? undefined : this.#numbered.get(id);
    return by && by.enterprise !== enterprise ? by : null;
  }

  /** Whether an id was told to another enterprise alone. */
  isForeign(enterprise: string, id: string | number): boolean {
    return this.foreign(enterprise, id) !== null || this.foreignNumber(enterprise, String(id)) !== null;
  }

  step(step: Step): void {
    if (step.operation === 'keys.revoke') this.#revoked.add(keyIn(step));
  }

  /** Whether a key is revoked, by its label. */
  isRevoked(key: string | null): boolean {
    return this.#revoked.has(key ?? '');
  }

  /** Whether there is anything that could be shown to an enterprise wrongly. */
  areOthersBeside(enterprise: string): boolean {
    return this.#owning.size > (this.#owning.has(enterprise) ? 1 : 0);
  }

  get forgotten(): number {
    return this.#records.forgotten;
  }
}

/** Its length, and where it has digits, small and capital letters. */
function shapeOf(id: string): string {
  return id.replace(/\d/g, '0').replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A');
}
