import type { ReceivedRequest } from '../receive/inbox.ts';
import type { WireResult } from '../send/transport.ts';
import type { Asked } from './asked.ts';
import { isMembers, readJson, type Json } from './json.ts';
import type { CallbackId } from './mutants/place.ts';
import { subjectOf } from './subject.ts';
import type { Traits } from './traits.ts';

/** An address that callbacks were asked for, and by what request. */
export interface Registration {
  readonly about: CallbackId;
  readonly target: string;
  readonly traits: Traits;
  /** What it is for, in the words of `subjectOf`. */
  readonly subjects: readonly string[];
  /** What came, the last delivery first. */
  readonly arrivals: readonly ReceivedRequest[];
  /** Whether the last one was answered 2xx; true before anything came. */
  readonly isTaken: boolean;
}

/** Knows who asked for callbacks where, and what came. */
export class RegistrationBook {
  readonly #registrations = new Map<string, Registration>();

  note(asked: Asked, traits: Traits, { outcome }: WireResult): void {
    if (outcome.kind === 'failure' || outcome.response.status !== 200) return;
    const data = isMembers(asked.body) ? asked.body.callbackData : undefined;
    const target = isMembers(data) ? pathOf(data.callbackUrl) : null;
    if (target === null || this.#registrations.has(target)) return;
    const about = asked.operation === 'fla.subscribe' ? 'fla.callback' : 'wci.callback';
    const subjects = [subjectOf(asked), ...recordOf(outcome.response.body)];
    this.#registrations.set(target, { about, target, traits, subjects, arrivals: [], isTaken: true });
  }

  noteArrival(target: string, arrival: ReceivedRequest, isTaken: boolean): void {
    const known = this.of(target);
    if (!known) return;
    const arrivals = [arrival, ...known.arrivals].slice(0, 4);
    this.#registrations.set(known.target, { ...known, arrivals, isTaken });
  }

  of(target: string): Registration | undefined {
    return this.#registrations.get(target);
  }

  /** The registration of the record or leg that a request names, or of its callback. */
  lastOf(asked: Asked): Registration | undefined {
    const subject = subjectOf(asked);
    return [...this.#registrations.values()].findLast((one) => one.subjects.includes(subject));
  }

  /** Another registration of the same kind that is known; undefined without one. */
  besides({ about, target }: Registration): Registration | undefined {
    return [...this.#registrations.values()].findLast((one) => one.about === about && one.target !== target);
  }

  /** The conditions that hold for its next delivery, beside those that held for the registration itself. */
  traitsOf({ traits, arrivals, isTaken }: Registration): Traits {
    const own = new Set(traits);
    own.delete('again');
    own.delete('refused');
    if (arrivals.length > 0) own.add('again');
    if (!isTaken) own.add('refused');
    return own;
  }
}

/** What a delivery is about, by its body; null for anything else. */
export function callbackOf(body: Json | undefined): CallbackId | null {
  if (!isMembers(body)) return null;
  if ('fid' in body) return 'fla.callback';
  return 'checkin_id' in body ? 'wci.callback' : null;
}

function recordOf(body: Uint8Array): readonly string[] {
  const answer = readJson(body);
  return isMembers(answer) && typeof answer.checkin_id === 'string' ? [`record ${answer.checkin_id}`] : [];
}

function pathOf(url: Json | undefined): string | null {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  return parsed && `${parsed.pathname}${parsed.search}`;
}
