import type { Exchange } from '../../core/evidence.ts';
import { describeResponse, errorCode } from '../kernel/answer.ts';
import { responseOf } from '../kernel/body.ts';
import { violated } from '../kernel/judgement.ts';
import type { Oracle, Watch } from '../kernel/oracle.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { shownRecords } from '../webcheckin/records.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { matterOf, type Matter } from './matter.ts';

/**
 * What was accepted as valid once is not refused as invalid later, whoever sends it: the same booking
 * under another locator, the same passengers for another record, the same leg or flight. A day in the future may have
 * passed meanwhile, by a clock that is not shown: a refusal is wrong if the same day, or an earlier one, is accepted after it.
 */
export const acceptedBefore: Oracle = {
  id: 'accepted-before',
  title: 'What was accepted as valid once is not refused with 400 another time',
  verifies: [
    ...[
      'WCI-SUB-001',
      'WCI-MP-001',
      'WCI-UPD-001',
      'WCI-UPD-002',
      'WCI-UPD-003',
      'WCI-UPD-004',
      'WCI-MP-012',
    ],
    ...['FLA-SUB-003', 'FLA-CBR-014', 'FLA-GET-001'],
  ],
  createWatch: () => new AcceptedWatch(),
};

/** Most refusals that wait for proof that their day is still in the future; more would show nothing new. */
const mostDoubts = 40;
/** Most refusals that are remembered, the latest ones. */
const mostRefused = 200;

/** Codes that call a request valid but in conflict with another one, with any status. */
const conflicts: ReadonlySet<string> = new Set([
  'CALLBACK_ALREADY_REGISTERED',
  'EXTERNAL_FID_ALREADY_REGISTERED',
  'AMBIGUOUS_FLIGHT',
]);

class AcceptedWatch implements Watch {
  readonly #accepted = new RecentMap<string, string>();
  /** Records that the service has shown: any other id may be refused for its form. */
  readonly #known = new RecentMap<string, true>();
  #doubts: readonly Doubt[] = [];
  /**
   * What was refused and never accepted so far. As time passes, days become past, so a later acceptance shows that the refusal was
   * wrong; days also come within a booking horizon, so only days count that were no later than one that had been accepted.
   */
  readonly #refused = new Map<string, Doubt>();
  /** The latest day that was accepted so far, by requirement. */
  readonly #latest = new Map<string, string>();

  exchange(exchange: Exchange): readonly Sample[] {
    const status = responseOf(exchange)?.status;
    if (status !== 200 && status !== 400) return noSamples;
    if (conflicts.has(errorCode(exchange) ?? '')) return noSamples;
    for (const { by, record } of shownRecords(exchange))
      for (const id of [record.checkin_id, by === 'list' ? undefined : record.booking_id])
        if (typeof id === 'string' || typeof id === 'number') this.#known.set(String(id), true);
    const matter = matterOf(exchange);
    if (!matter) return noSamples;
    const name = `${matter.requirement} ${matter.name}`;
    if (status === 200) {
      this.#accepted.set(name, exchange.id);
      this.#reach(matter);
      const refused = this.#refused.get(name);
      this.#refused.delete(name);
      const settled = this.#settle(matter, exchange);
      if (!refused) return settled;
      const wrong = { ...refused, accepted: exchange.id };
      return [...settled, refusedNow(wrong, [refused.exchange, exchange])];
    }
    const accepted = this.#accepted.get(name);
    if (matter.record !== undefined && !this.#known.has(matter.record)) return noSamples;
    if (accepted === undefined) {
      if (this.#isWithinReach(matter)) this.#note(name, { matter, accepted: '', exchange });
      return noSamples;
    }
    const doubt = { matter, accepted, exchange };
    if (matter.day === null) return [refusedNow(doubt, [exchange])];
    if (this.#doubts.length < mostDoubts) this.#doubts = [...this.#doubts, doubt];
    return noSamples;
  }

  forgotten(): number {
    return this.#accepted.forgotten + this.#known.forgotten;
  }

  #reach({ requirement, day }: Matter): void {
    const latest = this.#latest.get(requirement);
    if (day !== null && (latest === undefined || day > latest)) this.#latest.set(requirement, day);
  }

  #isWithinReach({ requirement, day }: Matter): boolean {
    const latest = this.#latest.get(requirement);
    return day === null || (latest !== undefined && isNoEarlier(latest, day));
  }

  #note(name: string, doubt: Doubt): void {
    const [oldest] = this.#refused.keys();
    if (this.#refused.size >= mostRefused && oldest !== undefined) this.#refused.delete(oldest);
    this.#refused.set(name, doubt);
  }

  /** The refusals that are wrong, now that this one was accepted. */
  #settle({ day }: Matter, exchange: Exchange): readonly Sample[] {
    if (day === null || this.#doubts.length === 0) return noSamples;
    const isProved = ({ matter }: Doubt) => matter.day !== null && isNoEarlier(matter.day, day);
    const proved = this.#doubts.filter(isProved);
    this.#doubts = this.#doubts.filter((doubt) => !isProved(doubt));
    return proved.map((doubt) => refusedNow(doubt, [doubt.exchange, exchange]));
  }
}

interface Doubt {
  readonly matter: Matter;
  /** The request that was accepted. */
  readonly accepted: string;
  readonly exchange: Exchange;
}

const dayMs = 86_400_000;

/** Whether a time is in the future if another one is: the same time, or a later one in any time zones. */
function isNoEarlier(time: string, other: string): boolean {
  const dayOf = (text: string) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return time === other || dayOf(time) - dayOf(other) >= 2 * dayMs;
}

function refusedNow({ matter, accepted, exchange }: Doubt, evidence: readonly Exchange[]): Sample {
  const actual = `${describeResponse(exchange)}, though ${accepted} asked the same and was accepted`;
  const judgement = violated('refused', 'a valid request to be accepted again', actual);
  return { ...sampleOf(matter.requirement, judgement), evidence };
}
