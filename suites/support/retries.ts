import { isDeepStrictEqual } from 'node:util';
import {
  is,
  type Delivery,
  type Judgement,
  type WebhookEvent,
  deliveredObject,
  distinctEvents,
  eventOf,
  holds,
  nameOf,
  unclear,
  clockSlackMs,
  differs,
} from '../checks.ts';

/** When the deliveries of one event were seen, in milliseconds of the deployment's time after the first one. */
export class Schedule {
  readonly #seen: { readonly after: number; readonly until: number }[] = [];
  #looked: number;
  readonly #start: number;

  constructor(now: number) {
    this.#start = this.#looked = now;
  }

  /** Notes that `count` deliveries, including the first one, have come by now. */
  look(now: number, count: number): void {
    while (this.#seen.length < count - 1)
      this.#seen.push({ after: this.#looked - this.#start, until: now - this.#start });
    this.#looked = now;
  }

  /** The pauses between deliveries, as far as they can be known: `5 s, 30 s, 2 min`. */
  describe(): string {
    const middles = [0, ...this.#seen.map(({ after, until }) => (after + until) / 2)];
    return middles
      .slice(1)
      .map((at, index) => duration(at - (middles[index] ?? 0)))
      .join(', ');
  }
}

function answersTo(same: readonly Delivery[]): is.Value {
  return is.number(same.length, 'deliveries', `answered ${same.map(({ answer }) => answer).join(', ')}`);
}

/** A repeated delivery carries the same body. */
export function sameBodies(deliveries: readonly Delivery[]): Judgement {
  const [first, ...repeats] = deliveries.filter(({ truncated }) => !truncated);
  if (!first || repeats.length === 0) return unclear('no delivery was repeated');
  const bodies = [first];
  for (const repeat of repeats) {
    if (bodies.some((body) => isSameBody(body, repeat))) continue;
    const altered = bodies.find((body) => !tellsOfOthers(body, repeat));
    if (altered) return differs('body', 'body', text(altered), text(repeat), [altered, repeat]);
    bodies.push(repeat);
  }
  return bodies.length <= repeats.length ? holds : unclear('no delivery was repeated');
}

/** One change may be told in several events, of which each reports fields of its own. */
function tellsOfOthers(one: Delivery, other: Delivery): boolean {
  const [known, told] = [one, other].map((delivery) => Object.keys(eventOf(delivery)?.changes ?? {}));
  if (!known?.length || !told?.length) return false;
  return !told.some((name) => known.includes(name));
}

/** Any 2xx is success: a duplicate may occur, but no further delivery. That each event comes twice is told of all of a run. */
export function notRepeated(deliveries: readonly Delivery[]): Judgement {
  for (const event of distinctEvents(deliveries)) {
    const same = deliveries.filter((delivery) => {
      const one = eventOf(delivery);
      return one !== null && nameOf(one) === nameOf(event);
    });
    if (same.length > 2) return differs('repeated', 'callback', is.number(1, 'deliveries'), answersTo(same));
  }
  return holds;
}

/** The deliveries of the event that came first: those with its status or its time, and those without a status. */
export function firstEvent(deliveries: readonly Delivery[]): readonly Delivery[] {
  const [first, ...others] = deliveries.map((delivery) => ({ delivery, event: eventOf(delivery) }));
  if (!first) return [];
  const at = first.event?.occurredAt ?? null;
  const isSame = (event: WebhookEvent | null) =>
    [first.event?.changes.status, undefined].includes(event?.changes.status) ||
    (at !== null && event?.occurredAt === at);
  return [first, ...others.filter(({ event }) => isSame(event))].map(({ delivery }) => delivery);
}

/** What came for a record whose first event failed, and whether others were repeated and no more can come. */
interface Failed {
  readonly come: readonly Delivery[];
  readonly othersAre: boolean;
  readonly isOver: boolean;
}

/**
 * A failed event is repeated if others are; how often and when is open, and so is whether at all. Where an event that nobody expected
 * came first, the next one may have been taken.
 */
export function isRepeated({ come: all, othersAre, isOver }: Failed): Judgement {
  const come = all.slice(all.findIndex((one) => !isTaken(one)));
  const [first] = come;
  if (!first) return unclear('no callback came');
  if (isTaken(first)) return holds;
  const repeated = firstEvent(come);
  if (repeated.length > 1) return holds;
  if (!othersAre || !isOver) return unclear('no failed delivery was repeated in time');
  const others = come.length - repeated.length;
  return givenUp(first, others, come.toReversed());
}

/** A second failing delivery is followed by a third if others have as many; null if that cannot be determined. */
export function isTriedAgain(deliveries: readonly Delivery[], most: number): Judgement | null {
  const [, second, third] = deliveries;
  if (third) return holds;
  if (!second || most < 3) return null;
  return givenUp(second, 0, [second]);
}

function isTaken({ answer }: Delivery): boolean {
  return answer.startsWith('2');
}

function givenUp({ answer }: Delivery, later: number, because: readonly Delivery[]): Judgement {
  const want = is.number(1, 'deliveries', `after the one answered ${answer}, as after other failures`);
  const got = later === 0 ? is.absent : is.number(later, 'deliveries', 'of later events');
  return differs('given-up', 'callback', want, got, because);
}

/** When a change was made, by the clock of the deployment. */
export interface Made {
  readonly after: number;
  readonly before: number;
}

/** Whether occurredAt of each delivery is when the change was made, by the deployment's clock. */
export function toldWhen(deliveries: readonly Delivery[], made: Made): Judgement {
  const told = deliveries.flatMap((delivery) => {
    const at = eventOf(delivery)?.occurredAt ?? null;
    return at === null ? [] : [{ at, delivery }];
  });
  if (told.length === 0) return unclear('no callback tells when');
  const wrong = told.find(({ at }) => at < made.after - clockSlackMs || at > made.before + clockSlackMs);
  if (wrong === undefined) return holds;
  const want = is.noted(is.range(iso(made.after), iso(made.before)), 'when the change was made');
  return differs('occurredAt', 'occurredAt', want, is.off(wrong.at, wrong.at - made.after), [wrong.delivery]);
}

function isSameBody(one: Delivery, other: Delivery): boolean {
  if (Buffer.from(one.body).equals(Buffer.from(other.body))) return true;
  const [a, b] = [deliveredObject(one), deliveredObject(other)];
  // The members of an object have no order, at any depth.
  return a !== null && b !== null && isDeepStrictEqual(a, b);
}

function text({ body }: Delivery): is.Value {
  return is.text(Buffer.from(body).toString('utf8'));
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

function duration(ms: number): string {
  if (ms < 90_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}
