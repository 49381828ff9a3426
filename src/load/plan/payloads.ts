import * as fc from 'fast-check';
import type { OperationId } from '../../core/operations.ts';
import { deriveSeed } from '../../core/random.ts';
import type { Itinerary } from '../../core/settings.ts';
import { bookingDraft, renderBooking } from '../../generate/webcheckin/booking.ts';
import { renderFlightSubscription, type FlightLeg } from '../../generate/flightAlerts/flightSubscription.ts';
import { createIdentities, type Identities } from '../../generate/kit/identity.ts';
import { listQuery } from '../../generate/webcheckin/listQueries.ts';
import { completePassenger } from '../../generate/webcheckin/passenger.ts';
import { passengersUpdate } from '../../generate/webcheckin/update.ts';
import * as api from '../../send/request.ts';
import type { ApiRequest } from '../../send/request.ts';

/** A generated request, and the statuses that a correct server answers it with. */
export interface LoadPayload {
  readonly request: ApiRequest;
  readonly expects: readonly number[];
}

/** What payloads refer to: records and flights that exist on the target, as far as any are known. Plain data. */
export interface LoadMaterial {
  /** Records of this load; without any, statuses of unknown ids are requested. */
  readonly checkinIds: readonly string[];
  /** A booking that the target accepts; null if nothing is subscribed. */
  readonly itinerary: Itinerary | null;
  readonly flights: readonly { readonly flightNumber: string; readonly departureDate: string }[];
  /** A leg that the target serves; null if nothing is subscribed. */
  readonly leg: FlightLeg | null;
  /** How far the deployment's clock is ahead of this machine's, in milliseconds; missing where they agree. */
  readonly aheadMs?: number;
  /** How far its state handler moved it; missing where it did not. */
  readonly movedMs?: number;
  /** True if most keys belong to other enterprises than the records: they get 404. */
  readonly isOfMany?: boolean;
  /** What the names of bookings that two workers subscribe at once are derived from; missing if there are none. */
  readonly twinsOf?: string;
}

interface PayloadOptions {
  readonly material: LoadMaterial;
  readonly identities: Identities;
  readonly seed: number;
  /** By the clock of this machine. */
  readonly now: number;
}

/** Number of payloads of one operation; more would cost memory without being new to a server. */
const poolSize = 64;

/** Makes the payload of an arrival: the same draw gives the same one, except for names that must be new each time. */
export function createPayloads(
  given: PayloadOptions,
): (operation: OperationId, draw: number, twin?: number) => LoadPayload {
  const options = { ...given, now: given.now + (given.material.aheadMs ?? 0) };
  const pools = new Map<OperationId, readonly Make[]>();
  return (operation, draw, twin) => {
    let pool = pools.get(operation);
    if (!pool) pools.set(operation, (pool = makers[operation](options)));
    const make = pool[draw % pool.length];
    if (!make) throw new Error(`there is no payload of ${operation}`);
    return make(twin);
  };
}

/** Makes a payload anew; two with the same `twin` have the same booking, whoever makes it. */
type Make = (twin?: number) => LoadPayload;
type Pool = (options: PayloadOptions) => readonly Make[];

const makers: Readonly<Record<OperationId, Pool>> = {
  'wci.status': ({ material, identities }) => {
    const known = material.checkinIds.map((id) =>
      fixed(api.status({ checkin_id: id }), 200, ...foreign(material)),
    );
    return known.length > 0
      ? known
      : [0, 1, 2, 3].map(() => fixed(api.status({ checkin_id: `chk-${identities.token()}` }), 404));
  },
  'wci.list': (options) => sampleOf(listQuery, options).map((query) => fixed(api.list(query), 200)),
  'fla.lookup': ({ material }) =>
    // Without a flight that is known to be served, unknown ones are used, which a conforming server may answer with 404.
    material.flights.map((flight) => fixed(api.lookup({ ...flight }), 200, 404)),
  'wci.subscribe': (options) => {
    const { material, identities, now } = options;
    const { itinerary } = material;
    if (itinerary === null) return [];
    return sampleOf(bookingDraft(now), options).map((draft) => (twin) => {
      const pnr = twin === undefined ? identities.pnr() : pnrOf(twin, options);
      return { request: api.subscribe(renderBooking(draft, { itinerary, now, pnr })), expects: [200] };
    });
  },
  'wci.update': (options) =>
    options.material.checkinIds.flatMap((id) => {
      const bodies = completePassenger(options.now).chain((one) =>
        passengersUpdate({ checkin_id: id }, [one]),
      );
      // Automation may have started meanwhile, after which a record cannot be changed.
      return sampleOf(bodies, options).map((body) =>
        fixed(api.update(body), 200, 409, ...foreign(options.material)),
      );
    }),
  'fla.subscribe': ({ material }) => {
    const { leg } = material;
    // Always the same leg: repeating a subscription leaves nothing new behind.
    return leg === null ? [] : [fixed(api.flightSubscribe(renderFlightSubscription(leg, 'absent')), 200)];
  },
};

/** What keys may be answered that do not own the record. */
function foreign({ isOfMany }: LoadMaterial): readonly number[] {
  return isOfMany === true ? [404] : [];
}

function pnrOf(twin: number, { material, seed }: PayloadOptions): string {
  return createIdentities(`${material.twinsOf ?? ''}/twin/${twin}`, seed).pnr();
}

function fixed(request: ApiRequest, ...expects: readonly number[]): () => LoadPayload {
  const payload = { request, expects };
  return () => payload;
}

function sampleOf<T>(arbitrary: fc.Arbitrary<T>, { seed }: PayloadOptions): readonly T[] {
  return fc.sample(arbitrary, { seed: deriveSeed(seed, 'load/payloads'), numRuns: poolSize });
}
