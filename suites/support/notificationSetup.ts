import {
  type CheckContext,
  type Delivery,
  type Exchange,
  type FlightLeg,
  type KeyChoice,
  type NotificationCommand,
  type NotificationScenario,
  type Route,
  type Script,
  type SinkFault,
  answerStatus,
  generate,
  noticesOf,
  isAccepted,
  keyOf,
} from '../checks.ts';
import { legOn, put, subscribeTo } from './flights.ts';
import {
  type Subscriber,
  awaitNotices,
  changeLeg,
  countOf,
  deliveriesSince,
  newGate,
  quiet,
  tellsGate,
} from './notices.ts';

/** What happened to a subscription that should be notified nevertheless. */
export type Past = 'attach' | 'retry' | 'polling';

/** The subscription of one enterprise to one leg: what is known of it, and what its callback was notified of. */
export interface Actor {
  readonly leg: number;
  readonly who: number;
  readonly subscriber: Omit<Subscriber, 'subscribed'>;
  isSubscribed: boolean;
  hasCallback: boolean;
  readonly past: Set<Past>;
  readonly exchanges: Exchange[];
}

/** A change of the gate of one leg. */
export interface GateChange {
  readonly leg: number;
  readonly gate: string;
  /** Those whose callbacks ought to be notified. */
  readonly expected: readonly Actor[];
  /** Those of them that got nothing that could be about it. */
  readonly missed: readonly Actor[];
  /** Those that only poll that leg at that time. */
  readonly polling: readonly Actor[];
}

const routes = generate.journey.slice(0, 2) as [Route, Route];

/** A flight of two legs for one scene. */
export class Setup {
  readonly actors: readonly Actor[];
  readonly changes: GateChange[] = [];
  readonly #t: CheckContext;
  readonly #legs: readonly FlightLeg[];

  private constructor(t: CheckContext, legs: readonly FlightLeg[], fault: SinkFault | null) {
    this.#t = t;
    this.#legs = legs;
    this.actors = legs.flatMap((leg, index) =>
      keysOf(t).map((key, who) => newActor(t, leg, { leg: index, who, key, fault })),
    );
  }

  static async open(t: CheckContext, { fault }: NotificationScenario): Promise<Setup> {
    const flight = await put(
      t,
      routes.map((route) => ({ route })),
    );
    return new Setup(
      t,
      routes.map((route) => legOn(flight, route)),
      fault,
    );
  }

  /** Runs one command; ends the case if a subscribe is not answered as the model of subscriptions says. */
  async play(command: NotificationCommand): Promise<void> {
    if (command.do === 'change') await this.change(command.leg);
    else await this.#subscribe(command);
  }

  async change(leg: number): Promise<void> {
    const gate = newGate(this.#t);
    const ofLeg = this.actors.filter((actor) => actor.leg === leg);
    const expected = ofLeg.filter(({ hasCallback }) => hasCallback);
    const polling = ofLeg.filter(({ isSubscribed, hasCallback }) => isSubscribed && !hasCallback);
    const counts = expected.map(({ subscriber }) => countOf(subscriber));
    await changeLeg(this.#t, this.#legAt(leg), { departure: { gate } });
    const missed: Actor[] = [];
    for (const [index, actor] of expected.entries()) {
      const count = counts[index] ?? 0;
      const news = (deliveries: readonly Delivery[]) => this.#newsFor(leg, deliveries.slice(count));
      await awaitNotices(this.#t, actor.subscriber, (deliveries) => news(deliveries).length > 0);
      if (news(deliveriesSince(actor.subscriber, 0)).length === 0) missed.push(actor);
    }
    this.changes.push({ leg, gate, expected, missed, polling });
  }

  /** All evidence: subscribes, and what came to all callbacks. */
  get evidence(): readonly (Exchange | Delivery)[] {
    return this.actors.flatMap(({ exchanges, subscriber }) => [
      ...exchanges,
      ...deliveriesSince(subscriber, 0),
    ]);
  }

  async #subscribe({ leg, who, withCallback }: NotificationCommand & { do: 'subscribe' }): Promise<void> {
    const actor = this.actors.find((one) => one.leg === leg && one.who === who);
    if (!actor) return;
    const { subscriber, hasCallback } = actor;
    const sent = withCallback ? subscriber.callback : 'absent';
    const exchange = await subscribeTo(this.#t, subscriber.leg, sent, subscriber.key);
    const isNew = withCallback && !hasCallback;
    const isAsSaid = isAccepted(exchange) && (keyOf(exchange) !== null) === isNew;
    this.#t.assume(isAsSaid, `${exchange.id}: a subscribe is not answered as the documents say`);
    actor.exchanges.push(exchange);
    const past = pastOf(actor, withCallback);
    if (past !== null) actor.past.add(past);
    actor.isSubscribed = true;
    actor.hasCallback ||= withCallback;
    await quiet(this.#t);
  }

  /** Deliveries that do not report an earlier gate of the leg: repeating an earlier notification is no news. */
  #newsFor(leg: number, deliveries: readonly Delivery[]): readonly Delivery[] {
    const earlier = this.changes.filter((change) => change.leg === leg).map(({ gate }) => gate);
    return deliveries.filter(
      (delivery) => !noticesOf([delivery]).some((notice) => earlier.some((gate) => tellsGate(gate)(notice))),
    );
  }

  #legAt(index: number): FlightLeg {
    const leg = this.#legs[index];
    if (!leg) throw new Error(`a scene has two legs, and there is no leg ${index}`);
    return leg;
  }
}

function newActor(
  t: CheckContext,
  leg: FlightLeg,
  { fault, key, ...place }: { leg: number; who: number; key: KeyChoice | undefined; fault: SinkFault | null },
): Actor {
  const isFaulty = fault !== null && fault.leg === place.leg && fault.who === place.who;
  const address = t.callbacks.open('flight-alerts', isFaulty ? scriptOf(fault) : undefined);
  const callback = { fid: t.identities.fid(), callbackUrl: `${address.url}/changes` };
  const subscriber = { leg, address, callback, key };
  return { ...place, subscriber, isSubscribed: false, hasCallback: false, past: new Set(), exchanges: [] };
}

/** A key of each enterprise that the run has. */
function keysOf({ keys }: CheckContext): readonly (KeyChoice | undefined)[] {
  const [theirs] = keys.other;
  return theirs === undefined ? [undefined] : [undefined, { kind: 'key', key: theirs }];
}

function scriptOf({ fault }: SinkFault): Script {
  if (fault === 'reset' || fault === 'close-early') return [{ kind: fault }, answerStatus(200)];
  const code = Number(fault);
  return [
    code === 302 ? answerStatus(302, { location: 'https://example.com/gatecheck' }) : answerStatus(code),
    answerStatus(200),
  ];
}

function pastOf({ isSubscribed, hasCallback }: Actor, withCallback: boolean): Past | null {
  if (!hasCallback) return isSubscribed && withCallback ? 'attach' : null;
  return withCallback ? 'retry' : 'polling';
}
