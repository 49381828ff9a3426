import type { RequestBody } from '../shared/body.ts';
import type { Inspection } from './inspection.ts';
import type { PayloadRule } from './payloadRules.ts';
import type { Place } from './policyTerms.ts';

/** A part of a payload under inspection: its path in words, and its place as the policy asks for it. */
export class Section {
  readonly inspection: Inspection;
  readonly path: string;
  readonly place: Partial<Place>;

  constructor(inspection: Inspection, path: string, place: Partial<Place> = {}) {
    this.inspection = inspection;
    this.path = path;
    this.place = place;
  }

  /** A part of this part, such as `.passport` or `[0]`. */
  at(step: string, place: Partial<Place> = {}): Section {
    return new Section(this.inspection, `${this.path}${step}`, { ...this.place, ...place });
  }

  /** Notes a defect unless `holds`, in words that start with the path; returns whether the value may be used. */
  require(holds: boolean, rule: PayloadRule, text: string): boolean {
    return this.inspection.require(holds, rule, `${this.path} ${text}`, this.place);
  }
}

/** A part whose files stand beside it in the same body. */
export interface Filed {
  readonly section: Section;
  readonly body: RequestBody;
}
