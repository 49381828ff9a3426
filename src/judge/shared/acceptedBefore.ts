import type { Exchange } from '../../core/evidence.ts';
import { onceForEach } from '../../core/latest.ts';
import type { OperationId } from '../../core/operations.ts';
import type { Asked } from '../../spec/grammar/form.ts';
import { rowAt } from '../../spec/grammar/narrowerRows.ts';
import { doubtfulRows, faultRows, freeRows, readForms, type Feature } from '../../spec/grammar/readForms.ts';
import { answeredOtherwise, responseValue } from '../kernel/answer.ts';
import { isObject, responseOf, type JsonObject } from '../../trace/body.ts';
import { differs, holds } from '../kernel/judgement.ts';
import type { Oracle, Watch } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { legNameOf } from '../../spec/world/legs.ts';
import { sightsIn } from '../../spec/world/sights.ts';
import { detailOf, subjectOf, valueText, type Subject } from './subject.ts';
import {
  accepted,
  faultOrDoubt,
  faultTaken,
  isOddName,
  isRefusal,
  isRefusedFor,
  isRepeat,
  keptByConflict,
  keptBySearch,
  keptIn,
  rejectedLate,
  wholeRows,
} from './answeredInputs.ts';
import { FailedFaults } from './failedFaults.ts';
import { isPlainJson, isSought, isTaken, sentInputs, shownInput, type SentInputs } from './sentInputs.ts';
import * as is from '../../spec/kernel/value.ts';

const operations: readonly OperationId[] = [
  'wci.subscribe',
  'wci.update',
  'wci.status',
  'fla.lookup',
  'fla.subscribe',
];

const judged: ReadonlySet<string> = new Set(operations);

/**
 * What breaks a rule under every reading is refused, and what is allowed is not the reason of a refusal. In a refused request without fault, lack or open form the suspects are the forms that
 * no accepted request has: of the same operation, by the same carrier, at the same place. Once they belong to one sentence, it is broken.
 */
export const acceptedBefore: Oracle = {
  id: 'accepted-before',
  title:
    'A request that breaks a rule for its inputs is refused, and what the documents allow is no reason of a refusal',
  replaces: ['wci.passive.valid-inputs', 'fla.passive.valid-flight-inputs'],
  operations,
  verifies: [
    ...new Set([
      ...Object.values(wholeRows),
      ...operations.flatMap((operation) => [...freeRows(operation), ...faultRows(operation)]),
      // And what the likelier reading refuses.
      ...operations.flatMap(doubtfulRows),
      ...['WCI-SUB-080'],
    ]),
  ],
  createWatch: () => new Contrast(),
};

/** Most refusals that wait for acceptances that clear a suspect, the latest ones. */
const mostWaiting = 200;

interface Refusal {
  readonly exchange: Exchange;
  readonly subject: Subject;
  readonly wholeRow: string;
  /** What must have been accepted before anything is said: what is open, and values that only the deployment knows. */
  readonly needed: readonly string[];
  /** What may be to blame, by what clears it. */
  readonly suspects: ReadonlyMap<string, Suspect>;
  /** Whether an acceptance after it shows that its day was not past. */
  isAhead: boolean;
}

type Suspect = Pick<Feature, 'rule' | 'at' | 'value'>;

/** What an accepted request tells, once for all that are equal. */
interface Learned {
  /** Who sent it, and whether it was taken. */
  readonly as: string;
  /** The day of its last leg. */
  readonly lastDay: string | null;
  /** The rules that it shows kept. */
  readonly kept: readonly Sample[];
}

class Contrast implements Watch {
  /** Everything that an accepted request had, with a number for each. */
  readonly #accepted = new RecentMap<string, number>();
  /** The latest day of an accepted request, by operation: no service accepts days without end. */
  readonly #latest = new Map<string, string>();
  /** What a repeat of an accepted request had. */
  readonly #taken = new RecentMap<string, true>();
  readonly #learned = new WeakMap<SentInputs, Learned>();
  /** Requests of which all but their fault was accepted. */
  readonly #kept = new WeakSet<SentInputs>();
  /** The fids of accepted subscribes, with their legs. */
  readonly #fids = new RecentMap<string, string>();
  readonly #failed = new FailedFaults();
  #waiting: readonly Refusal[] = [];
  /** Refusals for a fault, where the rest of the request was not accepted yet. */
  readonly #unproven = new Set<Exchange>();

  exchange(exchange: Exchange): readonly Sample[] {
    if (exchange.operation === null || !judged.has(exchange.operation)) return noSamples;
    if (!exchange.operation.startsWith('fla.')) return this.#judgeAnswer(exchange);
    const failed = this.#failed.judge(exchange);
    return failed.length > 0 ? [...failed, ...this.#judgeAnswer(exchange)] : this.#judgeAnswer(exchange);
  }

  #judgeAnswer(exchange: Exchange): readonly Sample[] {
    const isFound = isTaken(exchange);
    const fault = faultTaken(exchange, isFound);
    if (fault) this.#accept(exchange, isFound);
    if (fault) return [accepted(exchange, fault)];
    if (isFound || isPlainlySought(exchange)) return this.#accept(exchange, isFound);
    if (isSoughtFlight(exchange)) return soughtIn(exchange);
    if (isRepeat(exchange)) return this.#repeated(exchange);
    const late = rejectedLate(exchange);
    if (late) return [late];
    if (!isRefusal(exchange)) {
      const sent = sentInputs(exchange);
      return sent ? keptByConflict(exchange, sent) : noSamples;
    }
    const kept = this.#keptBy(exchange);
    const refusal = kept === noSamples ? this.#read(exchange) : null;
    if (!refusal) return kept;
    if (responseOf(exchange)?.status === 400 && sentInputs(exchange)?.features.some(isOddName) === true)
      return [sampleOf('WCI-SUB-080', holds)];
    const sample = this.#judge(refusal);
    if (sample) return [sample];
    this.#waiting = [...this.#waiting.slice(1 - mostWaiting), refusal];
    return this.#keptBy(exchange);
  }

  /** An internal error where all is accepted but what one sentence speaks of, which is to be accepted or refused. */
  suspicion(exchange: Exchange): readonly Sample[] {
    const sent = exchange.operation?.startsWith('wci.') === true ? sentInputs(exchange) : null;
    if (responseOf(exchange)?.status !== 500 || !sent || sent.fault || !this.#knows(exchange, sent))
      return noSamples;
    const { asked, members } = sent;
    const isParts = asked.carrier === 'multipart';
    if (asked.operation !== 'wci.subscribe' && asked.operation !== 'wci.update') return noSamples;
    const scope = scopeOf(asked);
    // Where nothing was accepted in parts, all that they say was accepted as JSON.
    const isFirst = isParts && !this.#accepted.has(scope);
    const odd = isFirst
      ? readForms(members, asked).filter((feature) => !this.#accepted.has(anywhere(keyOf(feature))))
      : sent.features.filter((feature) => !this.#accepted.has(keyOf(feature)));
    const whole = isFirst || scope === 'wci.subscribe json' ? [wholeRows[scope] ?? ''] : [];
    const [row, ...others] = new Set(odd.length === 0 ? whole : odd.map(rowOfFailure));
    const isClear = row !== undefined && others.length === 0;
    return isClear ? [sampleOf(row, answeredOtherwise(exchange, noFailure, 'internal'))] : noSamples;
  }

  /** Whether only the forms of a request may be new. */
  #knows(exchange: Exchange, sent: SentInputs): boolean {
    return subjectOf(exchange, sent).circumstances.every((one) => this.#accepted.has(one));
  }

  /** Without a request that differs in the suspects alone, others show that all the rest is accepted. */
  end(): readonly Sample[] {
    const samples = this.#waiting.flatMap((refusal) => this.#judge(refusal, true) ?? []);
    const kept = [...this.#unproven].flatMap((refused) =>
      this.#keptBy(refused).map((sample) => ({ ...sample, evidence: [refused] })),
    );
    this.#waiting = [];
    this.#unproven.clear();
    return [...samples, ...kept];
  }

  forgotten(): number {
    return this.#accepted.forgotten + this.#failed.forgotten;
  }

  /** What was only sought shows nothing of the flight itself. */
  #accept(exchange: Exchange, isFound: boolean): readonly Sample[] {
    for (const { record } of sightsIn(exchange)) this.#see(record);
    const sent = sentInputs(exchange);
    if (!sent) return noSamples;
    const { lastDay, kept } = this.#learn(exchange, sent, isFound);
    return this.#waiting.length === 0 ? kept : [...this.#settle(exchange, lastDay), ...kept];
  }

  /** What a repeat has is no reason to refuse it; whether more than its booking was looked at is not known. */
  #repeated(exchange: Exchange): readonly Sample[] {
    const sent = sentInputs(exchange);
    if (sent?.fault !== null) return noSamples;
    for (const key of [scopeOf(sent.asked), ...sent.features.map(keyOf)]) this.#taken.set(key, true);
    // Whoever finds the booking has read its parts.
    if (sent.asked.carrier === 'multipart') {
      this.#note(scopeOf(sent.asked));
      const members = readForms(sent.members, sent.asked);
      const around = sent.features.slice(members.length).map(keyOf);
      for (const key of around) if (!isFraming(key)) this.#note(key);
    }
    return keptIn(sent);
  }

  /** A refusal for the only fault of a request keeps its rule, if all the rest of it has been accepted. */
  #keptBy(exchange: Exchange): readonly Sample[] {
    const sent = sentInputs(exchange);
    const fault = sent && faultOrDoubt(sent);
    if (!sent || !fault || !isRefusedFor(exchange, fault)) return noSamples;
    const samples = Array.from(keptByRefusal(fault, sent.asked), (rule) => sampleOf(rule, holds));
    // What was accepted once stays so.
    if (this.#kept.has(sent)) return samples;
    const isOfFault = ({ rule, isTrait, at }: Feature) => rule === fault.rule || (isTrait && at === fault.at);
    // A journal hides credentials.
    const rest = sent.features.filter((one) => !isOfFault(one) && !one.at.endsWith('auth_header'));
    const isParts = sent.asked.carrier === 'multipart';
    const keys = [scopeOf(sent.asked), ...rest.map(keyOf)];
    // What is accepted as JSON is no reason to refuse parts.
    const isNoReason = (key: string) =>
      [this.#accepted, this.#taken].some((known) => known.has(key)) ||
      hasNothing(key) ||
      (isParts && this.#accepted.has(anywhere(key)));
    if (keys.every(isNoReason)) {
      this.#kept.add(sent);
      return samples;
    }
    if (this.#unproven.size < mostWaiting) this.#unproven.add(exchange);
    return noSamples;
  }

  /** Notes everything that an accepted request had, equal ones once. */
  #learn(exchange: Exchange, sent: SentInputs, isFound: boolean): Learned {
    const as = `${exchange.enterprise} ${isFound}`;
    const known = this.#learned.get(sent);
    if (known?.as === as && this.#accepted.forgotten === 0) return known;
    const { scope, day, lastDay, circumstances, name, pnr, fid } = subjectOf(exchange, sent);
    const learned = { as, lastDay, kept: isFound ? keptIn(sent) : keptBySearch(sent) };
    this.#learned.set(sent, learned);
    for (const key of isFound ? [scope, name, pnr, ...circumstances] : [scope]) this.#note(key);
    if (isFound && fid !== null && !this.#fids.has(fid)) this.#fids.set(fid, legNameOf(sent.members));
    const keys = sent.features.map(keyOf);
    for (const key of keys) if (this.#note(key)) this.#note(anywhere(key));
    this.#note(this.#setOf(keys));
    const operation = sent.asked.operation;
    const latest = this.#latest.get(operation);
    if (day !== null && (latest === undefined || day > latest)) this.#latest.set(operation, day);
    return learned;
  }

  /** Equal answers show the same records. */
  readonly #see = onceForEach(({ checkin_id: id, booking_id: number }: JsonObject): true => {
    for (const shown of [id, number]) this.#note(`record ${valueText(shown)}`);
    return true;
  });

  /** Whether it is new. */
  #note(key: string): boolean {
    if (this.#accepted.has(key)) return false;
    this.#accepted.set(key, this.#accepted.size + this.#accepted.forgotten);
    return true;
  }

  /** All forms of an accepted request, by their numbers; what is left out is in none. */
  #setOf(keys: readonly string[]): string {
    const numbers: number[] = [];
    for (const key of keys) if (!isLeftOut(key)) numbers.push(this.#accepted.get(key) ?? -1);
    numbers.sort((one, other) => one - other);
    return `set ${numbers.filter((number, at) => number !== numbers[at - 1]).join()}`;
  }

  #settle(exchange: Exchange, day: string | null): readonly Sample[] {
    const samples: Sample[] = [];
    this.#waiting = this.#waiting.filter((refusal) => {
      const { subject, exchange: refused } = refusal;
      if (refused.operation === exchange.operation && day !== null && subject.day !== null)
        refusal.isAhead ||= isNoEarlier(subject.day, day);
      const sample = this.#judge(refusal);
      if (sample) samples.push({ ...sample, evidence: [refused, exchange] });
      return sample === null;
    });
    return samples;
  }

  /** A refused request in which nothing is a reason to refuse it; null for any other. */
  #read(exchange: Exchange): Refusal | null {
    const sent = sentInputs(exchange);
    if (!sent || sent.features.some(isLack)) return null;
    if (sent.asked.carrier === 'json' && !isPlainJson(exchange, sent.members)) return null;
    const asked = { ...sent.asked, now: exchange.timings.sentAt };
    const features = readForms(sent.members, asked, sent.envelope);
    if (features.some(isLack)) return null;
    const subject = subjectOf(exchange, sent);
    // What becomes of a locator that another record has is open (WCI-OPN-052).
    const { payload } = sent.members;
    if (isObject(payload) && payload.pnr !== undefined && this.#accepted.has(subject.pnr)) return null;
    const { scope, day, lastDay, circumstances, fid } = subject;
    // So is what becomes of a fid that another leg has.
    const leg = legNameOf(sent.members);
    if (fid !== null && ((this.#fids.get(fid) ?? leg) !== leg || this.#fids.forgotten > 0)) return null;
    const latest = this.#latest.get(asked.operation);
    if (lastDay !== null && (latest === undefined || !isAsFar(latest, lastDay))) return null;
    const keyed = features.map((feature) => [keyOf(feature), feature] as const);
    const isCallback = scope.startsWith('fla.') && isObject(sent.members.callbackData);
    const whole = isCallback ? 'FLA-CBR-014' : wholeRows[scope];
    if (whole === undefined) return null;
    const suspects: Iterable<readonly [string, Suspect]> = keyed.filter(([, { kind }]) => kind === 'free');
    const isParts = sent.asked.carrier === 'multipart';
    const carrier = { rule: whole, at: 'the content type', value: 'multipart/form-data' };
    return {
      ...{ exchange, subject, isAhead: day === null },
      wholeRow: features.find(({ name }) => name.startsWith('passengers-by-'))?.rule ?? whole,
      needed: [
        ...circumstances,
        ...(isParts ? [] : [scope]),
        ...keyed.flatMap(([key, { kind }]) => (kind === 'open' ? [key] : [])),
      ],
      suspects: new Map([...(isParts ? [[scope, carrier] as const] : []), ...suspects]),
    };
  }

  #judge({ exchange, subject, wholeRow, needed, suspects, isAhead }: Refusal, isEnd = false): Sample | null {
    if (!isAhead || !needed.every((key) => this.#accepted.has(key))) return null;
    // Whoever finds a booking by its parts has read what is in them.
    const isRead = (key: string) =>
      subject.scope.endsWith('multipart') && this.#taken.has(key) && !isFraming(key);
    const left = this.#blamed([...suspects].filter(([key]) => !this.#accepted.has(key) && !isRead(key)));
    const [, first] = left[0] ?? [];
    if (!first)
      return this.#accepted.has(subject.name) ? brokenBy(exchange, wholeRow, 'the same request') : null;
    const isOther = ([key, { rule }]: readonly [string, Suspect]) =>
      rule !== first.rule || (rule === 'FLA-SUB-017' && !this.#accepted.has(anywhere(key)));
    if (left.some(isOther)) return null;
    const names = new Set(left.map(([key]) => key));
    const rest = [...suspects.keys(), ...needed].filter((key) => !names.has(key));
    if (!isEnd && !this.#accepted.has(this.#setOf(rest.filter((key) => key.includes('|'))))) return null;
    const rule = left.every(([key]) => this.#isOfArrivals(key)) ? 'WCI-DT-022' : first.rule;
    return brokenBy(exchange, rule ?? '', shownInput(first.at, first.value));
  }

  /** Whether an arrival is written in a form in which a departure was taken. */
  #isOfArrivals(key: string): boolean {
    const ofDeparture = key.replace('.arrival_datetime | arrival-', '.departure_datetime | ');
    return ofDeparture !== key && (this.#accepted.has(ofDeparture) || this.#taken.has(ofDeparture));
  }

  /** Where nothing was accepted by a carrier or a part, it is to blame for what is accepted by others. */
  #blamed(suspects: readonly (readonly [string, Suspect])[]): readonly (readonly [string, Suspect])[] {
    const isWide = ([key]: readonly [string, Suspect]) => !key.includes('|') || key.includes('| part-');
    if (!suspects.some(isWide)) return suspects;
    return suspects.filter((one) => isWide(one) || !this.#accepted.has(anywhere(one[0])));
  }
}

/** What a reader takes of one part may fail in a file. */
const isFraming = (key: string): boolean => /framing\.name \| (part|file)-/.test(key);
const scopeOf = ({ operation, carrier }: Asked): string => `${operation} ${carrier}`;

function isSoughtFlight(exchange: Exchange): boolean {
  return exchange.operation === 'fla.lookup' && isSought(exchange);
}

function soughtIn(exchange: Exchange): readonly Sample[] {
  const sent = sentInputs(exchange);
  return sent ? keptBySearch(sent) : noSamples;
}

/** Whether a lookup found nothing, and not because of how its number is written. */
function isPlainlySought(exchange: Exchange): boolean {
  if (!isSoughtFlight(exchange)) return false;
  return sentInputs(exchange)?.features.every(({ at }) => at !== 'flightNumber') === true;
}

function brokenBy(exchange: Exchange, requirement: string, what: string): Sample {
  const judgement = differs(
    'refused',
    'answer',
    is.text(`${what} to be no reason of a refusal`),
    is.noted(responseValue(exchange), 'with nothing else that was not accepted'),
  );
  return { ...sampleOf(requirement, judgement), evidence: [exchange] };
}

/** What clears a form: the operation, the carrier, the place and how it is written. */
function keyOf(feature: Feature): string {
  const detail = detailOf(feature);
  return detail === '' ? feature.spot : feature.spot + detail;
}

const noFailure: is.Value = { kind: 'other-than', statuses: [500] };

/** What must not be an internal error, however it is read: no alphabet of names is stated, and what a NUL is in a text is open. */
function rowOfFailure(feature: Feature): string {
  if (feature.kind !== 'open') return feature.rule ?? '';
  if (feature.name === 'pnr-broken') return 'WCI-SUB-045';
  return isOddName(feature) ? 'WCI-SUB-080' : 'SHR-ERR-007';
}

function isLack({ kind }: Feature): boolean {
  return kind === 'fault' || kind === 'lacking';
}

function isLeftOut(key: string): boolean {
  return key.includes('| absent-');
}

function hasNothing(key: string): boolean {
  return isLeftOut(key) || key.includes('| null-');
}

/** The sentence that the fault breaks, and the one that has it hold wherever it stands. */
function keptByRefusal({ rule, at, place }: Feature, asked: Asked): ReadonlySet<string> {
  const everywhere = place === 'later' ? rowAt(rule ?? '', at.replace(/\[\d+\]/, '[2]'), asked) : null;
  return new Set([rule ?? '', everywhere ?? rule ?? '']);
}

function anywhere(key: string): string {
  return key.slice(key.indexOf('|'));
}

const dayMs = 86_400_000;

/** Whether a time is on a day as far ahead as another one, so that it is within a horizon. */
function isAsFar(time: string, other: string): boolean {
  return time.slice(0, 10) >= other.slice(0, 10);
}

/** Whether a time is in the future if another one is: the same time, or a later one in any time zones. */
function isNoEarlier(time: string, other: string): boolean {
  const dayOf = (text: string) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  return time === other || dayOf(time) - dayOf(other) >= 2 * dayMs;
}
