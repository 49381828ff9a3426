import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import type { Identities } from '../../generate/kit/identity.ts';
import { utcDate } from '../../spec/kit/localTime.ts';
import { callbackDataFor } from '../journeys/front.ts';
import type { LoadMaterial } from './payloads.ts';
import { familiarFlights } from '../../plan/familiarFlights.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { Target } from '../../target/target.ts';
import { Dialect } from '../../engine/observe/dialect.ts';
import { createFixtures } from '../../engine/fixtures/fixtures.ts';
import { noRecordBook } from '../../engine/observe/recordBook.ts';
import { firstKeyOf } from '../../engine/keys/sharedKeys.ts';
import type { KnownLeg } from '../../engine/fixtures/flightFixtures.ts';

interface MaterialOptions {
  readonly settings: Settings;
  readonly target: Target;
  readonly identities: Identities;
  /** The deployment's time. */
  readonly now: () => number;
  /** Quota units and subscriptions that it may use up. */
  readonly quota: number;
  readonly operations: ReadonlySet<OperationId>;
  readonly send: (request: ApiRequest, purpose: string) => Promise<Exchange>;
}

/**
 * Prepares what the payloads of a load refer to, as sparingly as possible: one record if records are made, one leg if legs are
 * subscribed. Throws what the fixtures throw if a write has nothing to build on.
 */
export async function prepareMaterial(options: MaterialOptions): Promise<LoadMaterial> {
  const { operations, settings, quota, now } = options;
  const fixtures = fixturesOf(options);
  const writes = operations.has('wci.subscribe') || operations.has('wci.update');
  const wantsRecord = writes || (operations.has('wci.status') && quota > 0 && !settings.readOnly);
  const record = wantsRecord ? await fixtures.completeRecord().catch(orNull(writes)) : null;
  const itinerary = operations.has('wci.subscribe') ? await fixtures.itinerary('international') : null;
  const subscribes = operations.has('fla.subscribe');
  const wantsLeg = subscribes || (operations.has('fla.lookup') && settings.flights.length === 0);
  const known = wantsLeg ? await fixtures.knownLeg().catch(orNull(subscribes)) : null;
  return {
    checkinIds: record === null ? [] : [record.checkinId],
    itinerary,
    flights: known === null ? flightsOf(settings, now()) : [flightOf(known)],
    leg: known === null ? null : { ...flightOf(known), departure: known.departure, arrival: known.arrival },
  };
}

/** A separate record whose changes are delivered to an address; costs up to two quota units. */
export async function prepareProbe(
  options: Omit<MaterialOptions, 'operations' | 'quota'>,
  callbackUrl: string,
): Promise<string> {
  const fixtures = fixturesOf(options);
  const callbackData = callbackDataFor({ url: callbackUrl, authHeader: options.identities.authHeader() });
  const { checkinId } = await fixtures.subscribed({ ...(await fixtures.booking()), callbackData });
  return checkinId;
}

function fixturesOf({
  settings,
  identities,
  now,
  target,
  send,
}: Omit<MaterialOptions, 'operations' | 'quota'>) {
  return createFixtures({
    settings,
    identities,
    now,
    state: target.stateHandler,
    keys: firstKeyOf(target.keys),
    dialect: new Dialect(() => undefined),
    book: noRecordBook,
    onReuse: () => undefined,
    spare: () => Number.POSITIVE_INFINITY,
    send,
  })(1);
}

function flightOf({ flightNumber, departureDate }: KnownLeg): LoadMaterial['flights'][number] {
  return { flightNumber, departureDate };
}

/** A status request may name an unknown id; a write needs its record. */
function orNull(isNeeded: boolean): (error: unknown) => null {
  return (error) => {
    if (isNeeded) throw error;
    return null;
  };
}

/** The flights of the config, or familiar ones, on several days. */
function flightsOf(settings: Settings, now: number): LoadMaterial['flights'] {
  if (settings.flights.length > 0) {
    return settings.flights.map(({ flightNumber, departureDate }) => ({
      flightNumber,
      departureDate: typeof departureDate === 'number' ? utcDate(now, departureDate) : departureDate,
    }));
  }
  return familiarFlights.flatMap((flightNumber) =>
    [1, 2, 3].map((days) => ({ flightNumber, departureDate: utcDate(now, days) })),
  );
}
