import type { Catalogue } from '../../catalogue/loadCatalogue.ts';
import { isExchange, type Delivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import { operations } from '../../core/operations.ts';
import { samplesOf, type Known, type Oracle } from '../../judge/kernel/oracle.ts';
import type { Sample } from '../../judge/kernel/sample.ts';
import { memberOf } from '../../judge/kernel/body.ts';
import type { Note } from '../../trace/evidence.ts';
import { subscribedRecord } from '../../spec/world/hooks.ts';
import { severityOf } from '../../judge/kernel/weight.ts';
import {
  type JudgeShare,
  type JudgedPart,
  type JudgedRule,
  addRules,
  isBroken,
  whenText,
  type BrokenRule,
} from './judgeShare.ts';
import type { Correctness } from '../summary/summarySchema.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import type { FindingMaker } from '../../engine/findings/findings.ts';
import { PassiveTallies, type PassiveViolation } from '../../engine/findings/tally.ts';
import { type Watching, WatchIndex } from '../../engine/observe/countedAnswers.ts';

interface LoadJudgeOptions {
  readonly catalogue: Catalogue;
  readonly oracles: readonly Oracle[];
  readonly known: Known;
  /** Oracles that judge a load as a whole, over all processes that send it. */
  readonly wholeOracles: readonly Oracle[];
  readonly maker: FindingMaker;
  readonly share: JudgeShare;
  /** Learns the secrets in an exchange before any of it is reported. */
  readonly learn: (exchange: Exchange) => void;
  /** Requests per second that the load intends to send, at a monotonic instant. */
  readonly rateAt: (monotonic: number) => number;
  readonly now: () => number;
}

/** The phase of a load: at rest before and after it, and under load. */
type Phase = 'rest' | 'load';

/** Most records of an enterprise that are looked for in its list after the load; longer lists are not read completely anyway. */
const mostMade = 20_000;

/** Judges the answers and callbacks of a load as in any run, and separates what holds at rest from what breaks under load. */
export class LoadJudge {
  readonly #options: LoadJudgeOptions;
  readonly #watches: readonly Watching[];
  readonly #ofExchanges: WatchIndex;
  readonly #ofDeliveries: readonly Watching[];
  /** Oracles that judge the load as a whole, over all processes that send it. */
  readonly #ofTheWhole: WatchIndex;
  readonly #tallies: Readonly<Record<Phase, PassiveTallies>> = {
    rest: new PassiveTallies(),
    load: new PassiveTallies(),
  };
  /** Requests per second when a rule was first broken. */
  readonly #brokeAt = new Map<string, number>();
  /** What other processes of this load judged. */
  readonly #parts: JudgedPart[] = [];
  /** Ids of the records that subscribes certainly made, by enterprise. */
  readonly #made = new Map<string, Set<string>>();
  #phase: Phase = 'rest';
  #atRest = 0;
  #callbacks = 0;
  #isOver = false;
  /** Number of new records that are not looked for in the list. */
  #unlisted = 0;

  constructor(options: LoadJudgeOptions) {
    this.#options = options;
    const watching = (oracle: Oracle) => ({ oracle, watch: oracle.createWatch(options.known) });
    const ofTheWhole = options.wholeOracles.map(watching);
    this.#watches = [...options.oracles.map(watching), ...ofTheWhole];
    this.#ofExchanges = new WatchIndex(this.#watches);
    this.#ofDeliveries = this.#watches.filter(({ watch }) => watch.delivery);
    this.#ofTheWhole = new WatchIndex(ofTheWhole);
  }

  /** The load starts: what comes from now on is under load. */
  begin(): void {
    this.#phase = 'load';
  }

  /** An exchange of the load; if it is a read, only a share may be judged. */
  see(exchange: Exchange): void {
    const { share, learn } = this.#options;
    const isWrite = exchange.operation !== null && operations[exchange.operation].method === 'POST';
    if (!share.takes(isWrite)) return;
    if (isWrite) learn(exchange);
    // What the set-up made is not part of the load, and looking for it would cost a request.
    if (this.#phase === 'load') this.#noteMade(exchange);
    this.#judge(exchange);
  }

  /** An exchange of the set-up or of the final audit: always judged. */
  seeAlone(exchange: Exchange): void {
    this.#atRest += 1;
    this.#options.learn(exchange);
    this.#judge(exchange);
  }

  seeDelivery(delivery: Delivery): void {
    this.#callbacks += 1;
    this.#judge(delivery);
  }

  /** What the state handler did. */
  note(note: Note): void {
    for (const { oracle, watch } of this.#watches) this.#guard(oracle, note.type, () => watch.note?.(note));
  }

  /** An exchange that a worker judged: only the oracles of the whole load judge it again. */
  seeTogether(exchange: Exchange): void {
    this.#judgeBy(this.#ofTheWhole.of(exchange), exchange);
  }

  /** Number of rules that were broken under load so far. */
  get brokenCount(): number {
    return this.#brokeAt.size;
  }

  get made(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#made;
  }

  /** A judgement of the load as a whole, based on earlier evidence. */
  add(sample: Sample): void {
    const [shown] = sample.evidence ?? [];
    if (shown) this.#count(sample, shown);
  }

  /** Records that nobody looks for in the list. */
  leaveUnlisted(count: number): void {
    this.#unlisted += count;
  }

  /** A rule that held this many times over the load as a whole. */
  hold(requirement: string, samples: number): void {
    this.#tallies[this.#phase].of(requirement).samples += samples;
  }

  /** Nothing more comes: judges what was still waiting. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { oracle, watch } of this.#watches)
      this.#guard(oracle, 'the end', () => (watch.end?.() ?? []).forEach((sample) => this.add(sample)));
  }

  /** Forgets what was judged at rest: another server answered. */
  disown(): void {
    this.#tallies.rest.forget();
  }

  /** What this process judged, for the one that started it; `command` reproduces the findings. */
  part(command: string): JudgedPart {
    const broken = Object.fromEntries(this.#brokeAt);
    return {
      counts: this.#options.share.counts,
      rules: this.#ownRules,
      findings: this.#ownFindings(command),
      broken,
      forgotten: this.#ownForgotten,
      made: [...this.#made].map(([enterprise, ids]) => [enterprise, [...ids]] as const),
    };
  }

  /** Adds what another process of this load judged. */
  absorb(part: JudgedPart): void {
    this.#parts.push(part);
    for (const [enterprise, ids] of part.made) for (const id of ids) this.#noteRecord(enterprise, id);
    for (const [requirement, perSecond] of Object.entries(part.broken)) {
      const known = this.#brokeAt.get(requirement);
      this.#brokeAt.set(requirement, Math.min(perSecond, known ?? perSecond));
    }
  }

  /** All must and should that were judged, in the order of the catalogue. */
  get rules(): readonly JudgedRule[] {
    const all = [...this.#ownRules, ...this.#parts.flatMap(({ rules }) => rules)];
    const byId = Map.groupBy(all, ({ requirement }) => requirement);
    return this.#options.catalogue.requirements.flatMap(({ id }) => byId.get(id)?.reduce(addRules) ?? []);
  }

  /** The findings, one for each rule and kind; `command` reproduces it. */
  findings(command: string): readonly Finding[] {
    const all = [...this.#ownFindings(command), ...this.#parts.flatMap(({ findings }) => findings)];
    const first = new Map(all.toReversed().map((finding) => [finding.fingerprint, finding]));
    return all.filter((finding) => first.get(finding.fingerprint) === finding);
  }

  get #ownRules(): readonly JudgedRule[] {
    return this.#options.catalogue.requirements.flatMap(({ id, level }) => {
      const [rest, load] = [this.#tallies.rest.of(id), this.#tallies.load.of(id)];
      const fault = rest.fault ?? load.fault;
      if (severityOf(level) === 'observed' || (rest.samples + load.samples === 0 && fault === null))
        return [];
      const counts = (tally: typeof rest) => ({ samples: tally.samples, violations: violationsOf(tally) });
      return [{ requirement: id, rest: counts(rest), load: counts(load), fault }];
    });
  }

  #ownFindings(command: string): readonly Finding[] {
    return this.#ownRules.flatMap((rule) => {
      const { violations } = this.#tallies.load.of(rule.requirement);
      const all = violations.size > 0 ? violations : this.#tallies.rest.of(rule.requirement).violations;
      return [...all.values()].map((violation) => this.#finding(rule, violation, command));
    });
  }

  get correctness(): Correctness {
    const counts = [this.#options.share.counts, ...this.#parts.map((part) => part.counts)];
    const sum = (pick: 'seen' | 'judged') => counts.reduce((total, one) => total + one[pick], 0);
    const { rules } = this;
    const forgotten = this.#parts.reduce((total, part) => total + part.forgotten, this.#ownForgotten);
    return {
      ...(forgotten === 0 ? {} : { forgotten }),
      ...{ seen: sum('seen'), judged: sum('judged') },
      leastShare: Math.min(...counts.map((one) => one.leastShare)),
      ...{ atRest: this.#atRest, callbacks: this.#callbacks },
      rules: rules.length,
      broken: rules.filter(isBroken).map((rule) => this.#broken(rule)),
    };
  }

  #broken({ requirement, rest, load }: JudgedRule): BrokenRule {
    const when = rest.violations > 0 ? 'at-rest' : rest.samples > 0 ? 'under-load' : 'unknown-at-rest';
    const perSecond = this.#brokeAt.get(requirement) ?? null;
    return { requirement, when, perSecond, rest, load };
  }

  #finding(rule: JudgedRule, violation: PassiveViolation, command: string): Finding {
    for (const one of violation.evidence) if (isExchange(one)) this.#options.learn(one);
    const { samples } = rule.load.violations > 0 ? rule.load : rule.rest;
    const finding = this.#options.maker.ofPassive(violation, 'load', Math.max(samples, violation.count));
    return {
      ...finding,
      message: `${finding.message} ${whenText(this.#broken(rule))}`,
      reproduce: { ...finding.reproduce, command },
    };
  }

  get #ownForgotten(): number {
    const oracles = this.#watches.reduce((sum, { watch }) => sum + (watch.forgotten?.() ?? 0), 0);
    return oracles + this.#unlisted;
  }

  #noteMade(exchange: Exchange): void {
    const id = subscribedRecord(exchange);
    if (id === null || exchange.enterprise === null || memberOf(exchange, 'message') !== 'SCHEDULED') return;
    this.#noteRecord(exchange.enterprise, id);
  }

  #noteRecord(enterprise: string, id: string): void {
    const made = this.#made.get(enterprise) ?? new Set();
    if (made.size >= mostMade) this.#unlisted += 1;
    else this.#made.set(enterprise, made.add(id));
  }

  #judge(evidence: Evidence): void {
    if (!isExchange(evidence)) {
      this.#judgeBy(this.#ofDeliveries, evidence);
      return;
    }
    this.#judgeBy(this.#ofExchanges.of(evidence), evidence);
  }

  #judgeBy(watches: readonly Watching[], evidence: Evidence): void {
    for (const { oracle, watch } of watches) {
      this.#guard(oracle, evidence.id, () => {
        for (const sample of samplesOf(watch, evidence))
          this.#count(sample, sample.evidence?.[0] ?? evidence);
      });
    }
  }

  #count(sample: Sample, shown: Evidence): void {
    const { rateAt, now } = this.#options;
    const tallies = this.#tallies[this.#phase];
    if (!tallies.add(shown, sample) || this.#phase === 'rest' || this.#brokeAt.has(sample.requirement))
      return;
    this.#brokeAt.set(sample.requirement, rateAt(isExchange(shown) ? shown.timings.sent : now()));
    this.#keepAll(sample, tallies);
  }

  /** The first violation of a kind is recorded with all of its evidence. */
  #keepAll({ requirement, judgement, evidence }: Sample, tallies: PassiveTallies): void {
    if (judgement.status !== 'violated' || evidence === undefined) return;
    const { violations } = tallies.of(requirement);
    const known = violations.get(judgement.code);
    if (known) violations.set(judgement.code, { ...known, evidence });
  }

  /** An oracle that throws only spoils its own verdict. */
  #guard({ verifies }: Oracle, over: string, judge: () => void): void {
    try {
      judge();
    } catch (error) {
      const fault = `a fault of Gatecheck over ${over}: ${String(error)}`;
      this.#tallies[this.#phase].addFault(verifies, fault);
    }
  }
}

function violationsOf({ violations }: { violations: ReadonlyMap<string, PassiveViolation> }): number {
  return [...violations.values()].reduce((sum, { count }) => sum + count, 0);
}
