import type { Asked } from './asked.ts';
import { isMembers, readJson, type Json } from './json.ts';
import type { KeyBook } from './keys.ts';
import { identifierOf, isFurther, subjectOf } from './subject.ts';
import type { WireResult } from '../send/transport.ts';

/** Conditions under which real mistakes show: each holds for some messages and not for others. */
const conditions = {
  always: 'always',
  multipart: 'only by multipart',
  alias: 'only through an alias or the booking id',
  further: 'only from the second leg, passenger, item or page on',
  again: 'only from the second time on',
  refused: 'only after a refusal about the same',
  updated: 'only after an update, or a subscription of the flight',
  restarted: 'only from the middle of a run on, as after a restart',
  'later-key': 'only for keys that were issued later',
  'other-enterprise': 'only for the other enterprise',
} as const;

export type Condition = keyof typeof conditions;
export const conditionIds = Object.keys(conditions) as readonly Condition[];

/** The conditions that hold for one message, but for those of its position. */
export type Traits = ReadonlySet<Condition>;

/** Knows which conditions hold, by what travelled before. */
export class TraitBook {
  readonly #keys: KeyBook;
  readonly #asked = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #updated = new Set<string>();
  /** Records by their booking ids. */
  readonly #bookings = new Map<string, string>();

  constructor(keys: KeyBook) {
    this.#keys = keys;
  }

  /** Of a request before it is passed on. */
  traitsOf(asked: Asked): Traits {
    const subject = this.#subjectOf(asked);
    const identifier = identifierOf(asked)?.name ?? null;
    const key = asked.key ?? '';
    const kind = this.#keys.kindOf(asked.key);
    const holds: Readonly<Record<Exclude<Condition, 'restarted'>, boolean>> = {
      always: true,
      multipart: asked.carrier === 'multipart',
      alias: identifier !== null && identifier !== 'checkin_id',
      further: isFurther(asked),
      again: this.#asked.has(`${asked.operation ?? ''} ${subject}`),
      refused: this.#refused.has(subject),
      updated: this.#updated.has(subject) || this.#updated.has(`key ${key}`),
      'later-key': kind === 'issued',
      'other-enterprise': kind === 'other',
    };
    return new Set(conditionIds.filter((id) => id !== 'restarted' && holds[id]));
  }

  note(asked: Asked, { outcome }: WireResult): void {
    if (outcome.kind === 'failure') return;
    const { status, body } = outcome.response;
    const subject = this.#subjectOf(asked);
    this.#asked.add(`${asked.operation ?? ''} ${subject}`);
    if (status >= 400) this.#refused.add(subject);
    else this.#refused.delete(subject);
    if (status >= 300) return;
    const answer = readJson(body);
    if (asked.operation === 'wci.subscribe') this.#noteRecord(answer);
    if (asked.operation === 'wci.update') this.#updated.add(subject).add(`key ${asked.key ?? ''}`);
    if (asked.operation === 'fla.subscribe') this.#updated.add(flightOf(subject)).add(subject);
  }

  isUpdated(subject: string): boolean {
    return this.#updated.has(subject);
  }

  /** Records go by one name, whatever a request calls them. */
  #subjectOf(asked: Asked): string {
    const identifier = identifierOf(asked);
    const record = identifier && this.#bookings.get(identifier.value);
    return record ? `record ${record}` : subjectOf(asked);
  }

  #noteRecord(answer: Json | undefined): void {
    if (!isMembers(answer) || typeof answer.checkin_id !== 'string') return;
    if (typeof answer.booking_id === 'number')
      this.#bookings.set(String(answer.booking_id), answer.checkin_id);
  }
}

/** A leg's subject begins as its flight's does. */
function flightOf(leg: string): string {
  return leg.replace('leg', 'flight').split(' ').slice(0, 3).join(' ');
}
