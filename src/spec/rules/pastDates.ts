import type { Call } from '../../trace/call.ts';
import { readForms } from '../grammar/readForms.ts';
import type { Violation } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { dayMs, minuteMs, utcDate } from '../kit/localTime.ts';
import { flightAskedIn, flightName } from '../world/legs.ts';
import type { Show } from './suspect.ts';

/** How a request is answered about its date: refused with 400, or not. */
type Answer = 'refused' | 'taken';

/** What a date is by the clocks: `yesterday` is today in a zone behind UTC, and `gone` is past in every zone. */
type Kind = 'gone' | 'yesterday' | 'today' | 'later';

/** What keeps a rule. */
const kept: Readonly<Record<string, string>> = {
  'fla.lookup gone refused': 'FLA-GET-024',
  'fla.lookup yesterday refused': 'FLA-GET-024',
  'fla.lookup today taken': 'FLA-GET-025',
  'fla.subscribe gone refused': 'FLA-SUB-034',
  'fla.subscribe yesterday refused': 'FLA-SUB-034',
  'fla.subscribe today taken': 'FLA-SUB-035',
};

/** So far from midnight UTC two clocks agree about the day. */
const guardMs = 10 * minuteMs;
const hourMs = 60 * minuteMs;
/** No zone is further behind UTC. */
const farthestMs = 12 * hourMs;

/** Which dates a deployment calls past. Its clock may be moved, and dates may follow it or not. */
export class PastDates {
  readonly #seen = new Map<string, Call>();
  #violations: readonly Violation[] = [];
  /** A date that is past on the moved clock alone was refused: dates follow it. */
  #isMoved = false;

  /** `aheadMs` are the clocks that the deployment may have, by how far they are ahead of ours; the last is that of its state handler. */
  learn(call: Call, aheadMs: readonly number[], show: Show): void {
    const answer = answerOf(call);
    const date = flightAskedIn(call)?.departureDate;
    if (answer === null || typeof date !== 'string') return;
    const clocks = aheadMs.map((ahead) => call.sentAt + ahead);
    // What is right by our clock is right; what is wrong by it may be right by that of the deployment.
    const isNear = clocks.some(isNearMidnight);
    const [first, last] = [utcDate(Math.min(...clocks)), utcDate(Math.max(...clocks))];
    const moved = utcDate(clocks.at(-1) ?? call.sentAt);
    if (!isNear && answer === 'refused' && date >= first && date < moved) this.#isMoved = true;
    const earliest = this.#isMoved ? moved : first;
    const clock = this.#isMoved ? (clocks.at(-1) ?? call.sentAt) : Math.min(...clocks);
    const past: Kind = date < utcDate(clock - farthestMs) ? 'gone' : 'yesterday';
    const kind = date < earliest ? past : date === last ? 'today' : date > last ? 'later' : null;
    if (kind === null) return;
    const key = `${call.op} ${kind} ${answer}`;
    const rule = kept[key];
    if (rule !== undefined) show(rule);
    if (isNear) return;
    this.#note(key, call);
    this.#judgeHours(key, this.#isMoved ? clocks.slice(-1) : clocks, call, show);
  }

  /** That the day is that of UTC shows early in it for zones behind, and late for zones ahead. */
  #judgeHours(key: string, clocks: readonly number[], call: Call, show: Show): void {
    const hours = clocks.map((clock) => (clock % dayMs) / hourMs);
    const isEarly = key === 'fla.lookup yesterday refused' && hours.every((hour) => hour < 6);
    const isLate = key === 'fla.lookup today taken' && hours.every((hour) => hour >= 18);
    if (!isEarly && !isLate) return;
    this.#note(isEarly ? 'early' : 'late', call);
    if (this.#seen.has('early') && this.#seen.has('late')) show('FLA-GET-026');
  }

  #note(key: string, call: Call): void {
    if (!this.#seen.has(key)) this.#seen.set(key, call);
  }

  /** Somebody else has moved the clock: which day it was since then is not known. */
  doubtSince(at: number): void {
    for (const [key, { receivedAt }] of this.#seen) if (receivedAt >= at) this.#seen.delete(key);
  }

  end(): readonly Violation[] {
    for (const op of ['fla.lookup', 'fla.subscribe'] as const) {
      const of = (kind: Kind, answer: Answer) => this.#seen.get(`${op} ${kind} ${answer}`);
      const isLookup = op === 'fla.lookup';
      const gone = of('gone', 'taken');
      const past = gone ?? of('yesterday', 'taken');
      // Where yesterday is refused at another hour, the day is that of another timezone.
      const isOfZone = !gone && of('yesterday', 'refused');
      if (past)
        this.#break(
          past,
          isLookup ? (isOfZone ? 'FLA-GET-026' : 'FLA-GET-024') : 'FLA-SUB-034',
          is.answer(400, 'as its date is past'),
        );
      const today = of('today', 'refused');
      if (!today || !of('later', 'taken')) continue;
      this.#break(
        today,
        isLookup ? (of('today', 'taken') ? 'FLA-GET-026' : 'FLA-GET-025') : 'FLA-SUB-035',
        'today not to be past',
      );
    }
    return this.#violations;
  }

  #break({ exchange, status }: Call, rule: string, want: is.Value | string): void {
    const got = is.answer(status ?? 0);
    this.#violations = [
      ...this.#violations,
      { rule, code: 'date', at: 'answer', want, got, because: [exchange] },
    ];
  }
}

function isNearMidnight(clock: number): boolean {
  return Math.min(clock % dayMs, dayMs - (clock % dayMs)) < guardMs;
}

/** Whether a request in which nothing but its date may be wrong was refused; null where nobody can tell. */
function answerOf(call: Call): Answer | null {
  const { op, query, body, carrier, status } = call;
  const sent = flightAskedIn(call);
  const isTaken = status === 200 || status === 404;
  if (!sent || call.keyState !== 'active' || (!isTaken && status !== 400)) return null;
  if (carrier === 'unread' || flightName(sent) === null) return null;
  if (isTaken) return 'taken';
  const asked = { operation: op, carrier: op === 'fla.lookup' ? 'query' : 'json' } as const;
  const isPlain =
    op === 'fla.lookup' ? Object.keys(query).length === 2 : (body?.callbackData ?? null) === null;
  return isPlain && readForms(sent, asked).every(({ kind }) => kind === 'free') ? 'refused' : null;
}
