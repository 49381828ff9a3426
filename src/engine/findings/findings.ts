import type { Catalogue } from '../../catalogue/loadCatalogue.ts';
import type { Level } from '../../catalogue/row.ts';
import { isLong } from '../../core/bytes.ts';
import { isDelivery, isExchange, type Delivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import { shownStart } from '../../core/ownStart.ts';
import type { Redactor } from '../../core/redact.ts';
import { errorCode } from '../../judge/kernel/answer.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import type { Violated } from '../../judge/kernel/judgement.ts';
import type { Violation } from '../../judge/kernel/sample.ts';
import { countsAs, severityOf } from '../../judge/kernel/weight.ts';
import { wordFinding } from '../../spec/wording/words.ts';
import { renderCurl } from '../../send/curl.ts';
import { shownHeader } from '../../send/shownHeader.ts';
import type { Confirmation } from '../attempt/confirm.ts';
import { decisiveOf, placeIn, shownWrong } from './decisive.ts';
import type { Origins } from './origins.ts';
import {
  type Finding,
  type StoredCase,
  type StoredDelivery,
  type StoredStep,
  fingerprintOf,
} from './finding.ts';
import type { PassiveViolation } from './tally.ts';

/** Longest command that people paste, and that shells and servers accept: an id from an answer may be as long as a body. */
const longestCurl = 16_000;

interface FindingMakerOptions {
  readonly catalogue: Catalogue;
  readonly redactor: Redactor;
  /** Seed of the run. */
  readonly seed: number;
  /** Labels of the keys that the user has; null if the target ends with the run. */
  readonly heldKeys: ReadonlySet<string> | null;
  /** The requirements that passive oracles saw broken by a piece of evidence; none by default. */
  readonly violatedBy?: (id: string) => readonly string[];
  /** Knows what findings may follow from; nothing by default. */
  readonly origins?: Origins;
  /** The situations by which the explorer came to what is broken; by default it came to nothing. */
  readonly storyOf?: (violation: Violation) => readonly string[];
}

/** Turns broken rules into findings with their reproduction and stored case, without any secret. */
export class FindingMaker {
  readonly #options: FindingMakerOptions;
  readonly #codesOfLong = new WeakMap<Uint8Array, string | null>();

  constructor(options: FindingMakerOptions) {
    this.#options = options;
  }

  /** What was expected and what came, in one sentence. */
  message({ requirement, judgement }: Violation): string {
    const { catalogue, redactor } = this.#options;
    return redactor.redact(wordFinding(catalogue.get(requirement).title, shownWrong(judgement, redactor)));
  }

  /** The finding of a rule that a case of an active check broke. */
  ofViolation({ failed, violation, shown, tries }: Confirmation, run: CheckRun): Finding {
    const { generated, exchanges, name } = failed;
    const deliveries = violation.evidence.filter(isDelivery);
    return this.#finding(violation, {
      check: run.check.id,
      confirmed: `${shown} of ${tries}`,
      severityAt: (level) => countsAs(level, { shown, tries }),
      needs: run.check.needs,
      isCounted: violation.evidence.length > 1 && violation.judgement.got.kind === 'count',
      counterexample: generated?.text ?? (name === '' ? null : name),
      decisive: decisiveOf(violation.judgement, violation.evidence, {
        usual: violation.evidence.at(-1) ?? exchanges.at(-1) ?? null,
        beside: exchanges,
      }),
      // Earlier exchanges that the case built on are part of the violation as well.
      exchanges: [...new Set([...violation.evidence.filter(isExchange), ...exchanges, ...deliveries])].sort(
        byTime,
      ),
      stored: {
        check: run.check.id,
        caseName: name,
        seed: generated?.seed ?? run.seed,
        cases: run.cases,
        path: generated?.path ?? null,
        whole: false,
        steps: exchanges.map((exchange) => this.#step(exchange)),
        deliveries: deliveries.map((delivery) => this.#delivery(delivery)),
      },
    });
  }

  /** The finding of a passive oracle, from the first evidence that showed it. */
  ofPassive(violation: PassiveViolation, check: string, samples: number): Finding {
    const exchanges = violation.evidence.filter(isExchange);
    const [first] = violation.evidence;
    return this.#finding(violation, {
      check,
      confirmed: `${violation.count} of ${samples}`,
      severityAt: severityOf,
      needs: [],
      isCounted: false,
      counterexample: first ? this.#excerptOf(first) : null,
      decisive: decisiveOf(violation.judgement, violation.evidence, { usual: first ?? null }),
      exchanges: violation.evidence,
      stored: {
        check: exchanges[0]?.check ?? check,
        caseName: '',
        seed: 0,
        cases: 0,
        path: null,
        whole: true,
        ...this.#storyOf(violation),
        steps: exchanges.map((exchange) => this.#step(exchange)),
        deliveries: violation.evidence.filter(isDelivery).map((delivery) => this.#delivery(delivery)),
      },
    });
  }

  #storyOf(violation: Violation): Pick<StoredCase, 'story'> {
    const story = this.#options.storyOf?.(violation) ?? [];
    return story.length === 0 ? {} : { story };
  }

  #finding(violation: Violation, details: Details): Finding {
    const { requirement } = violation;
    const { check, confirmed, stored, decisive } = details;
    const judgement = { ...violation.judgement, at: placeIn(decisive, violation.judgement) };
    const { level } = this.#options.catalogue.get(requirement);
    const clean = (text: string) => this.#options.redactor.redact(text);
    const fingerprint = fingerprintOf(requirement, check, stored.caseName, judgement.code);
    return {
      fingerprint,
      requirement,
      check,
      confirmed,
      message: this.message({ ...violation, judgement }),
      ...shownWrong(withReasons(judgement, details, violation.evidence), this.#options.redactor),
      counterexample: details.counterexample === null ? null : clean(details.counterexample),
      reproduce: {
        seed: this.#options.seed,
        path: stored.path,
        command: `gatecheck replay ${fingerprint}`,
        curl: this.#curlOf(details, clean),
      },
      exchanges: details.exchanges.map(({ id }) => id),
      ...(decisive === null ? {} : { decisive: decisive.id }),
      ...this.#alsoBrokenBy(decisive, requirement),
      ...this.#followsFrom({ ...violation, judgement }, details),
      code: judgement.code,
      level: level === 'consumer' ? 'may' : level,
      severity: reported(details.severityAt(level)),
      case: JSON.parse(JSON.stringify(stored)) as NonNullable<Finding['case']>,
    };
  }

  #alsoBrokenBy(decisive: Evidence | null, requirement: string): Pick<Finding, 'alsoBreaks'> {
    const broken = decisive === null ? [] : (this.#options.violatedBy?.(decisive.id) ?? []);
    const others = broken.filter((id) => id !== requirement);
    return others.length === 0 ? {} : { alsoBreaks: [...new Set(others)] };
  }

  #followsFrom({ requirement, judgement: { at } }: Violation, details: Details): Pick<Finding, 'follows'> {
    const { decisive, exchanges } = details;
    const rules = this.#options.origins?.of({ decisive, exchanges, at }) ?? [];
    const others = rules.filter((id) => id !== requirement);
    return others.length === 0 ? {} : { follows: others };
  }

  /**
   * The decisive request alone, if that shows the violation: not a callback, nothing that the state handler had to prepare, no
   * key that the user does not have, and no secret but the key.
   */
  #curlOf(details: Details, clean: (text: string) => string): string | null {
    const { decisive, stored, needs } = details;
    const { heldKeys } = this.#options;
    if (decisive === null || isDelivery(decisive) || stored.deliveries.length > 0) return null;
    if (heldKeys === null || needs.some((name) => name.startsWith('state:'))) return null;
    if (decisive.key !== null && !heldKeys.has(decisive.key)) return null;
    if (details.isCounted) return null;
    const curl = renderCurl(decisive, clean);
    return curl.includes('‹') || curl.length > longestCurl ? null : curl;
  }

  /** The beginning of a body, cut only after redaction, so that no part of a secret is left. */
  #excerptOf(evidence: Evidence): string | null {
    const body = isDelivery(evidence) ? evidence.body : responseOf(evidence)?.body;
    if (!body || body.length === 0) return null;
    const text = this.#options.redactor.redact(Buffer.from(body.subarray(0, 4096)).toString('utf8'));
    return text.length > 600 ? `${text.slice(0, 600)}…` : text;
  }

  #delivery({ id, method, target, headers, body, answer }: Delivery): StoredDelivery {
    const clean = (text: string) => this.#options.redactor.redact(text);
    return {
      id,
      method,
      target: clipped(clean(target)),
      headers: headers.map(([name, value]) => [
        clean(name),
        shownHeader(name, value, this.#options.redactor),
      ]),
      body: clipped(clean(Buffer.from(body).toString('utf8'))),
      answer,
    };
  }

  #step(exchange: Exchange): StoredStep {
    const clean = (text: string) => this.#options.redactor.redact(text);
    const { request } = exchange;
    return {
      operation: exchange.operation,
      method: request.method,
      target: clean(request.target),
      ...{ key: exchange.key, enterprise: exchange.enterprise },
      body: request.body === null ? null : clean(Buffer.from(request.body).toString('utf8')),
      status: responseOf(exchange)?.status ?? null,
      code: this.#codeOf(exchange),
    };
  }

  /** Dozens of findings may rest on the same long answer, which becomes many times as large whenever it is parsed. */
  #codeOf(exchange: Exchange): string | null {
    const body = responseOf(exchange)?.body;
    if (body === undefined || !isLong(body)) return clipped(errorCode(exchange));
    const known = this.#codesOfLong.get(body);
    if (known !== undefined) return known;
    const code = clipped(errorCode(exchange));
    this.#codesOfLong.set(body, code);
    return code;
  }
}

/** What a judgement rests on: where it says nothing, all that was judged, and the decisive piece last. */
function withReasons(judgement: Violated, details: Details, judged: readonly Evidence[]): Violated {
  const { decisive, exchanges } = details;
  const all = judged.filter((one) => one !== decisive);
  const named = judgement.because?.map((one) => exchanges.find(({ id }) => id === one.id) ?? one);
  return { ...judgement, because: named ?? (decisive === null ? all : [...all, decisive]) };
}

/** Findings are made of must and should only. */
function reported(severity: ReturnType<typeof countsAs>): NonNullable<Finding['severity']> {
  return severity === 'observed' ? 'warn' : severity;
}

/** Longest text of a finding that comes from answers; the evidence has it whole. */
const longestText = 10_000;

function clipped<T extends string | null>(text: T): T | string {
  return text === null ? text : shownStart(text, longestText);
}

/** In the order of sending and arrival. */
function byTime(one: Evidence, other: Evidence): number {
  return startOf(one) - startOf(other);
}

function startOf(evidence: Evidence): number {
  return isDelivery(evidence) ? evidence.startedAt : evidence.timings.sentAt;
}

/** How a check was run when a case of it failed. */
interface CheckRun {
  readonly check: { readonly id: string; readonly needs: readonly string[] };
  readonly seed: number;
  readonly cases: number;
}

/** What distinguishes one finding from another: how it was found, how certain it is, and what shows it. */
interface Details {
  readonly check: string;
  readonly confirmed: string;
  /** What it counts as, by the level of its requirement. */
  readonly severityAt: (level: Level) => ReturnType<typeof countsAs>;
  /** Capabilities that its check needs. */
  readonly needs: readonly string[];
  /** Several exchanges count together: a single one shows nothing. */
  readonly isCounted: boolean;
  readonly counterexample: string | null;
  /** What broke the rule. */
  readonly decisive: Evidence | null;
  readonly exchanges: readonly Evidence[];
  readonly stored: StoredCase;
}
