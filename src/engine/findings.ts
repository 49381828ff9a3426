import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import { isDelivery, type Delivery, type Evidence, type Exchange } from '../core/evidence.ts';
import { hash32 } from '../core/random.ts';
import type { Redactor } from '../core/redact.ts';
import { errorCode } from '../judge/kernel/answer.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { Violated } from '../judge/kernel/judgement.ts';
import { severityOf } from '../judge/kernel/verdict.ts';
import { wordFinding } from '../judge/kernel/wording.ts';
import { renderCurl } from '../send/curl.ts';
import { shownHeader } from '../send/shownHeader.ts';
import type { FailedCase } from './attempt.ts';
import type { FindingDraft, StoredCase, StoredDelivery, StoredStep } from './outcome.ts';
import type { Violation } from './signals.ts';
import type { PassiveViolation } from './tally.ts';

export interface FindingMakerOptions {
  readonly catalogue: Catalogue;
  readonly redactor: Redactor;
}

/** Makes reports of broken rules: wording, reproduction and stored case, without any secret. */
export class FindingMaker {
  readonly #options: FindingMakerOptions;

  constructor(options: FindingMakerOptions) {
    this.#options = options;
  }

  /** The finding of a rule that a case of an active check broke. */
  ofViolation(failed: FailedCase, violation: Violation, run: CaseRun): FindingDraft {
    const { generated, exchanges, name } = failed;
    const deliveries = violation.evidence.filter(isDelivery);
    // In the order of the evidence, which ends with what decides, whatever was sent after that as a control.
    const shown = violation.evidence.flatMap((one) => exchanges.filter((exchange) => exchange === one));
    const path = generated?.path ?? null;
    return this.#finding(violation.requirement, violation.judgement, {
      check: run.check,
      caseName: name,
      confirmed: run.confirmed,
      certain: run.certain,
      counterexample: generated?.text ?? (name === '' ? null : name),
      path,
      decisive: shown.at(-1) ?? exchanges.at(-1) ?? null,
      exchanges: [...exchanges, ...deliveries].map(({ id }) => id),
      stored: {
        check: run.check,
        caseName: name,
        seed: generated?.seed ?? run.seed,
        cases: run.cases,
        path,
        whole: false,
        steps: exchanges.map((exchange) => this.#step(exchange)),
        deliveries: deliveries.map((delivery) => this.#delivery(delivery)),
      },
    });
  }

  /** The finding of a passive oracle, by what showed it first. */
  ofPassive(requirement: string, violation: PassiveViolation, check: string, samples: number): FindingDraft {
    const { evidence, judgement, count } = violation;
    return this.#finding(requirement, judgement, {
      check,
      caseName: '',
      confirmed: `${count} of ${samples}`,
      certain: true,
      counterexample: this.#excerptOf(evidence),
      path: null,
      decisive: isDelivery(evidence) ? null : evidence,
      exchanges: [evidence.id],
      stored: {
        check: isDelivery(evidence) ? check : evidence.check,
        caseName: '',
        seed: 0,
        cases: 0,
        path: null,
        whole: true,
        steps: isDelivery(evidence) ? [] : [this.#step(evidence)],
        deliveries: isDelivery(evidence) ? [this.#delivery(evidence)] : [],
      },
    });
  }

  #finding(requirement: string, judgement: Violated, details: Details): FindingDraft {
    const row = this.#options.catalogue.get(requirement);
    const clean = (text: string) => this.#options.redactor.redact(text);
    const severity = severityOf(row.level);
    return {
      fingerprint: fingerprintOf(requirement, details.check, details.caseName, judgement.code),
      requirement,
      check: details.check,
      caseName: details.caseName,
      code: judgement.code,
      // What did not show again is told, and does not fail anybody.
      severity: severity === 'fail' && !details.certain ? 'warn' : severity,
      confirmed: details.confirmed,
      message: clean(wordFinding(row.title, judgement)),
      expected: clean(judgement.expected),
      actual: clean(judgement.actual),
      counterexample: details.counterexample === null ? null : clean(details.counterexample),
      path: details.path,
      curl: details.decisive === null ? null : renderCurl(details.decisive, clean),
      exchanges: details.exchanges,
      stored: details.stored,
    };
  }

  /** The beginning of a body, cut only once it is clean, so that no cut leaves a part of a secret. */
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
      target,
      headers: headers.map(([name, value]) => [name, shownHeader(name, value, this.#options.redactor)]),
      body: clean(Buffer.from(body).toString('utf8')),
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
      key: exchange.key,
      body: request.body === null ? null : clean(Buffer.from(request.body).toString('utf8')),
      status: responseOf(exchange)?.status ?? null,
      code: errorCode(exchange),
    };
  }
}

/** How a check was run when a case of it failed, and how sure that is. */
interface CaseRun {
  readonly check: string;
  readonly seed: number;
  readonly cases: number;
  readonly confirmed: string;
  readonly certain: boolean;
}

interface Details {
  readonly check: string;
  readonly caseName: string;
  readonly confirmed: string;
  readonly certain: boolean;
  readonly counterexample: string | null;
  readonly path: string | null;
  readonly decisive: Exchange | null;
  readonly exchanges: readonly string[];
  readonly stored: StoredCase;
}

/** `WCI-STS-004.1a2b3c4d`: the rule, and a hash of what showed it and how it was broken. */
function fingerprintOf(requirement: string, ...parts: readonly string[]): string {
  return `${requirement}.${hash32(parts.join('\n')).toString(16).padStart(8, '0')}`;
}
