import type { WebCheckinPolicy } from './policy.ts';
import type { DefectKind, Place } from './policyTerms.ts';
import type { PayloadRule } from './payloadRules.ts';
import { invalid, Refusal } from '../shared/refusal.ts';

interface Defect {
  readonly kind: DefectKind;
  readonly text: string;
}

/** Collects what is wrong with a payload, by the rules that the policy enforces. */
export class Inspection {
  readonly defects: Defect[] = [];
  readonly policy: WebCheckinPolicy;
  readonly place: Place;
  /** What the request is refused with once it has been carried out, by mistake. */
  late: { readonly refusal: Refusal; readonly deed: 'charged' | 'done' } | null = null;

  constructor(policy: WebCheckinPolicy, place: Pick<Place, 'operation' | 'multipart'> & Partial<Place>) {
    this.policy = policy;
    this.place = { index: 0, passenger: 0, field: '', nested: false, value: undefined, ...place };
  }

  /** Notes a defect unless `holds`; returns whether the value may be used further. */
  require(holds: boolean, rule: PayloadRule, text: string, at: Partial<Place> = {}): boolean {
    if (holds) return true;
    if (this.policy.enforces(rule, { ...this.place, ...at })) this.note(kindOf(rule), text);
    return false;
  }

  note(kind: DefectKind, text: string): void {
    this.defects.push({ kind, text });
  }

  /** Refuses the request for the first defect that is judged at this stage of the processing order. */
  refuse(stage: 'payload' | 'journey'): void {
    const all = stage === 'journey' || this.place.operation === 'update';
    const defect = this.defects.find(({ kind }) => all || this.policy.stageOf(kind) === 'payload');
    if (!defect) return;
    const refusal = refusalOf(defect, this.policy);
    const deed = this.policy.refusedPayload(this.place.operation, defect.kind);
    if (deed === 'nothing') throw refusal;
    this.late = { refusal, deed };
  }
}

/** 400 VALIDATION_ERROR or 422 REJECTED, by kind of defect. */
function refusalOf(defect: Defect, policy: WebCheckinPolicy): Refusal {
  if (policy.statusOf(defect.kind) === 400) return invalid(defect.text);
  return new Refusal(422, 'REJECTED', defect.text, policy.reasonMembers(defect.text));
}

function kindOf(rule: PayloadRule): DefectKind {
  if (rule === 'flight.airport.letters') return 'airport';
  if (rule === 'flight.airport.zone') return 'timezone';
  if (rule === 'flight.clock.calendar') return 'calendar';
  if (rule.startsWith('callback.') && rule !== 'callback.object') return 'callback';
  return 'structure';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Absent or null. */
export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
