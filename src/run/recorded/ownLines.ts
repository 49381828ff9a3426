import { operationIds, type OperationId } from '../../core/operations.ts';
import type {
  ClaimLine,
  DeliveryLine,
  EventLine,
  JournalLine,
  SendingLine,
  StepLine,
} from '../../send/journalLine.ts';
import type { Evidence } from '../../trace/evidence.ts';
import { headEvent } from '../killed/head.ts';
import { exchangeOf } from '../../send/lineExchange.ts';
import { deliveryOf, type Recorded } from './lineEvidence.ts';
import { journalLineSchema } from './journalLines.ts';
import type { TrafficFile } from './recording.ts';

/** What a file of Gatecheck holds, with what its run claims of it. */
export function ownEvidence({ lines, isJournal }: TrafficFile, prefix: string): readonly Recorded[] {
  const laterKnown = lines.flatMap((line) =>
    line.type === 'claim' && line.claim === 'known-later' ? [[line.label, line.text] as const] : [],
  );
  const reading = new Reading(prefix, isJournal, new Map(laterKnown));
  return [...lines.flatMap((line) => reading.take(line)), ...reading.cutShort()];
}

/** Reads lines in their order: a claim holds from where it stands, until the next part of a run that was continued. */
class Reading {
  readonly #prefix: string;
  readonly #isJournal: boolean;
  /** Whether its traffic is that of a run: a proxy and a recording write journals as well, and a HAR has no steps and no claims. */
  #isRun = false;
  #showsCredentials = false;
  #movedMs = 0;
  #begins = false;
  /** Requests that were about to be sent, by the id of the exchange. */
  readonly #open = new Map<string, SendingLine>();
  #lastAt = 0;

  /** Texts for labels of credentials that were not known yet. */
  readonly #laterKnown: ReadonlyMap<string, string>;

  constructor(prefix: string, isJournal: boolean, laterKnown: ReadonlyMap<string, string>) {
    [this.#prefix, this.#isJournal] = [prefix, isJournal];
    this.#laterKnown = laterKnown;
  }

  take(line: JournalLine): readonly Recorded[] {
    const cut = line.type === 'event' && line.name === headEvent ? this.cutShort() : [];
    if (line.type === 'event') this.#event(line);
    else if (line.type === 'step') this.#step(line);
    else if (line.type === 'claim') this.#claim(line);
    else if (line.type === 'sending') this.#open.set(line.id, line);
    else if (line.type === 'exchange') {
      this.#open.delete(line.id);
      this.#lastAt = Date.parse(line.startedAt) + line.durationMs;
    }
    const evidence = this.#evidenceOf(line);
    return evidence === null ? cut : [...cut, this.#recorded(evidence)];
  }

  /** Requests that were under way as the run was killed: they may have done what later answers show. */
  cutShort(): readonly Recorded[] {
    const failure = { reason: 'aborted', message: 'the run was cut short', maybeDelivered: true };
    const cut = [...this.#open.values()].flatMap((line) => {
      const durationMs = Math.max(0, this.#lastAt - Date.parse(line.startedAt));
      const whole = { ...line, type: 'exchange', durationMs, response: null, failure } as const;
      const evidence = journalLineSchema.safeParse(whole).success ? this.#evidenceOf(whole) : null;
      return evidence === null ? [] : [this.#recorded(evidence)];
    });
    this.#open.clear();
    return cut;
  }

  #recorded(evidence: Evidence): Recorded {
    const begins = this.#begins;
    this.#begins = false;
    return {
      ...{ evidence, isOwn: true, isWhole: this.#isRun, showsCredentials: this.#showsCredentials },
      ...(this.#isJournal && { movedMs: this.#movedMs }),
      ...(begins && { begins }),
    };
  }

  /** Journals of older versions have no steps and no claims, only these. */
  #event({ name, data }: EventLine): void {
    if (name === headEvent) this.#part();
    if (name === 'clock' && typeof data.movedMs === 'number') this.#movedMs = data.movedMs;
    if (name === 'state-set' && data.state === 'reset' && data.error === null) this.#begins = true;
  }

  #part(): void {
    this.#begins ||= this.#isRun;
    this.#isRun = true;
    this.#showsCredentials = false;
  }

  #step({ operation, outcome, movedMs }: StepLine): void {
    this.#movedMs = movedMs;
    this.#begins ||= operation === 'reset' && outcome === 'done';
  }

  #claim(line: ClaimLine): void {
    if (line.claim === 'own-records') this.#isRun = true;
    if (line.claim === 'labels') this.#showsCredentials = true;
    if (line.claim === 'moved-clock') this.#movedMs = line.movedMs;
  }

  #evidenceOf(line: JournalLine): Evidence | null {
    const prefix = this.#prefix;
    if (line.type === 'delivery') return deliveryOf(this.#withKnown(line), prefix);
    if (line.type === 'step') return stepOf(line, prefix);
    if (line.type === 'claim') return claimOf(line, prefix);
    if (line.type !== 'exchange') return null;
    const named = line.operation as OperationId | null;
    const operation = named !== null && operationIds.includes(named) ? named : null;
    return exchangeOf(line, { operation, prefix, slackMs: 0 });
  }

  #withKnown(line: DeliveryLine): DeliveryLine {
    const headers = line.request.headers.map(
      ([name, value]) => [name, this.#laterKnown.get(value) ?? value] as const,
    );
    return this.#laterKnown.size === 0 ? line : { ...line, request: { ...line.request, headers } };
  }
}

function stepOf({ startedAt, durationMs, ...step }: StepLine, prefix: string): Evidence {
  const at = Date.parse(startedAt);
  return { ...step, id: prefix + step.id, startedAt: at, endedAt: at + durationMs };
}

function claimOf(line: ClaimLine, prefix: string): Evidence {
  const at = Date.parse(line.at);
  if (line.claim === 'outage' || line.claim === 'cut-off')
    return { ...line, at, exchanges: line.exchanges.map((id) => prefix + id) };
  if (line.claim === 'next-page')
    return { ...line, at, exchange: prefix + line.exchange, after: prefix + line.after };
  return { ...line, at };
}
