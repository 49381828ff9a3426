import { clockSlackMs } from '../world/toldChanges.ts';
import { equalField } from '../kit/equalField.ts';
import { parseTimestamp } from '../kit/timestamp.ts';
import * as is from '../kernel/value.ts';
import type { Said } from '../kernel/findings.ts';
import type { History, Latest, State } from '../world/histories.ts';
import type { Sight } from '../world/sights.ts';
import type { CreationTimes } from './creationTimes.ts';
import { broken } from './recordForms.ts';

/** The clock of one machine differs from ours by the same amount each time, apart from the network delay. */
const oneClockMs = 300;
/** A read that is as much later than another answer, and does not know what that showed, goes back. */
const lateReadMs = 10_000;

type Say = (said: Said) => void;

/** The times of bookings go on, and move with what they are. */
export class RecordTimes {
  readonly #creations: CreationTimes;
  /** Whether a last_updated was seen that is not a whole second. */
  #isFine = false;
  /** The least and the greatest difference of created_at from our clock: far apart if machines differ. */
  #least = Infinity;
  #most = -Infinity;

  constructor(creations: CreationTimes) {
    this.#creations = creations;
  }

  judge(sight: Sight, history: History, say: Say): void {
    const created = parseTimestamp(sight.record.created_at);
    const updated = parseTimestamp(sight.record.last_updated);
    if (created !== null) this.#judgeCreated(sight, created, history, say);
    if (updated === null) return;
    history.first ??= updated;
    if (sight.by === 'update' && history.told && updated > history.told.at) say(['WCI-UPD-034', null]);
    judgeOrder(sight, updated, history, say);
    if (updated % 1000 !== 0) this.#isFine = true;
    this.#judgeMoved(sight, updated, history, say);
  }

  #judgeCreated(sight: Sight, created: number, history: History, say: Say): void {
    const { createdAt, creation } = history;
    history.createdAt ??= created;
    if (createdAt === created) say(['WCI-LST-027', null]);
    else if (createdAt !== null) {
      const want = is.noted(is.value(iso(createdAt)), 'as before');
      say(broken(sight, 'WCI-LST-027', 'created_at', want, { code: 'changed' }));
    } else if (creation && sight.by === 'list') {
      this.#creations.judge(sight, created, creation, say);
      this.#least = Math.min(this.#least, created - creation.byOurs);
      this.#most = Math.max(this.#most, created - creation.byOurs);
    }
  }

  /** Another state with the last_updated of the one before, which had been shown well before that changed. */
  #judgeMoved(sight: Sight, at: number, history: History, say: Say): void {
    const before = history.state;
    const now = sight.by === 'list' ? null : stateIn(sight, at, history);
    if (now === null) return;
    history.state = now;
    if (!before) return;
    const isMoved = before.status !== now.status || before.passes !== now.passes;
    if (before.at !== at) {
      if (isMoved) say(['WCI-DT-035', null]);
      return;
    }
    if (isMoved && before.asked - now.since >= this.#settledMs(at) && !this.#isYoung(sight, at, history))
      say(stays(sight, 'WCI-DT-035', before, ['status', 'boarding_passes']));
    // A machine whose clock is behind may keep to the time that another one wrote.
    const settledMs = clockSlackMs + (at % 1000 === 0 ? 1000 : 0);
    if (
      sight.by === 'update' &&
      now.asked - now.since >= settledMs &&
      isOther(now.missing, sight.record.missing_info)
    )
      say(stays(sight, 'WCI-UPD-034', before, ['missing_info']));
  }

  /**
   * Some keep whole seconds, on nodes whose clocks differ; two other times are the same only where nothing was written, and so
   * are any two of a deployment that keeps milliseconds.
   */
  #settledMs(at: number): number {
    return this.#isFine || at % 1000 !== 0 ? 50 : 1000 + clockSlackMs;
  }

  /** Soon after its creation, a machine whose clock is behind may keep to the time of that. */
  #isYoung({ exchange }: Sight, at: number, { first, creation }: History): boolean {
    const isSoon = creation !== null && exchange.timings.receivedAt < creation.byOurs + clockSlackMs;
    return isSoon && at === first && this.#most - this.#least > oneClockMs;
  }
}

function stateIn({ exchange, record }: Sight, at: number, { listed, told, state }: History): State | null {
  const { status, boarding_passes: passes } = record;
  if (typeof status !== 'string') return null;
  const first = state?.at === at ? state : { missing: record.missing_info, by: exchange.id };
  return {
    at,
    status,
    missing: first.missing,
    by: first.by,
    since: Math.min(sinceOf(listed, at), sinceOf(told, at)),
    asked: exchange.timings.sent,
    // The answer to a subscribe shows no passes.
    passes: Array.isArray(passes) ? passes.length : (state?.passes ?? 0),
  };
}

function sinceOf(shown: Latest | null, at: number): number {
  return shown?.at === at ? shown.since : Infinity;
}

function isOther(one: State['missing'], other: State['missing']): boolean {
  return (
    one !== other && Array.isArray(one) && Array.isArray(other) && !equalField('missing_info', one, other)
  );
}

function stays(sight: Sight, rule: string, before: State, members: readonly string[]): Said {
  const want = is.noted(
    is.pattern('a later time'),
    `with another ${members.join(' or ')} than in ${before.by}`,
  );
  return broken(sight, rule, 'last_updated', want, { code: 'stays' });
}

/** Against created_at of the same answer or of an earlier one, and against what earlier answers had shown. */
function judgeOrder(sight: Sight, at: number, history: History, say: Say): void {
  const { createdAt } = history;
  const before = knownTo(sight, history);
  const member = sight.by === 'list' ? 'listed' : 'told';
  if (at > (history[member]?.at ?? -Infinity))
    history[member] = { at, since: sight.exchange.timings.received };
  const bound = Math.max(createdAt ?? -Infinity, before);
  if (bound === -Infinity) return;
  if (at >= bound - clockSlackMs) {
    say(['WCI-DT-029', null]);
    return;
  }
  const want = is.pattern(`not before ${iso(bound)}, as shown before`);
  say(broken(sight, 'WCI-DT-029', 'last_updated', want, { code: 'backwards' }));
}

/** The latest time that whoever answered must have known of. A read may be made from a copy that is late. */
function knownTo({ exchange: { timings }, by }: Sight, { listed, told }: History): number {
  const late = by === 'update' ? 0 : lateReadMs;
  const knew = (one: Latest | null, slack: number) =>
    one && timings.sent > one.since + slack ? one.at : -Infinity;
  return Math.max(knew(listed, by === 'list' ? 0 : late), knew(told, late));
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
