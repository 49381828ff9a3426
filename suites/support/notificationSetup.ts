import {
  type CheckContext,
  type Delivery,
  type FlightLeg,
  type FlightNotice,
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
import { type Subscriber, awaitNotices, changeLeg, countOf, newGate, quiet, tellsGate } from './notices.ts';

/** The subscription of one enterprise to one leg. */
interface Actor {
  readonly leg: number;
  readonly who: number;
  readonly subscriber: Omit<Subscriber, 'subscribed'>;
  hasCallback: boolean;
}

const routes = generate.journey.slice(0, 2) as [Route, Route];

/** A flight of two legs for one scene. */
export class Setup {
  readonly #actors: readonly Actor[];
  /** The gates that each leg had. */
  readonly #gates: readonly string[][] = [[], []];
  readonly #t: CheckContext;
  readonly #legs: readonly FlightLeg[];

  private constructor(t: CheckContext, legs: readonly FlightLeg[], fault: SinkFault | null) {
    this.#t = t;
    this.#legs = legs;
    this.#actors = legs.flatMap((leg, index) =>
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

  /** Changes the gate of a leg and waits until each of its callbacks was notified. */
  async change(leg: number): Promise<void> {
    const gate = newGate(this.#t);
    const expected = this.#actors
      .filter((actor) => actor.leg === leg && actor.hasCallback)
      .map(({ subscriber }) => ({ subscriber, count: countOf(subscriber) }));
    await changeLeg(this.#t, this.#legAt(leg), { departure: { gate } });
    for (const { subscriber, count } of expected)
      await awaitNotices(this.#t, subscriber, (all) => this.#hasNews(leg, all.slice(count)));
    this.#gates[leg]?.push(gate);
  }

  async #subscribe({ leg, who, withCallback }: NotificationCommand & { do: 'subscribe' }): Promise<void> {
    const actor = this.#actors.find((one) => one.leg === leg && one.who === who);
    if (!actor) return;
    const { subscriber, hasCallback } = actor;
    const sent = withCallback ? subscriber.callback : 'absent';
    const exchange = await subscribeTo(this.#t, subscriber.leg, sent, subscriber.key);
    const isNew = withCallback && !hasCallback;
    const isAsSaid = isAccepted(exchange) && (keyOf(exchange) !== null) === isNew;
    this.#t.assume(isAsSaid, `${exchange.id}: a subscribe is not answered as the documents say`);
    actor.hasCallback ||= withCallback;
    await quiet(this.#t);
  }

  /** Repeating an earlier notification is no news. */
  #hasNews(leg: number, deliveries: readonly Delivery[]): boolean {
    const tellsOld = (notice: FlightNotice) => this.#gates[leg]?.some((gate) => tellsGate(gate)(notice));
    return deliveries.some((delivery) => !noticesOf([delivery]).some(tellsOld));
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
  return { ...place, subscriber, hasCallback: false };
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
