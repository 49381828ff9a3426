import type { Accounts, Enterprise, Entitlement } from './accounts.ts';
import type { CheckInApi } from './checkinApi.ts';
import type { CheckIns, Shown } from './checkins.ts';
import type { MovableClock } from './clock.ts';
import type { Deliveries } from './deliveries.ts';
import type { Flights } from './flights.ts';
import { isObject } from './reading.ts';

type Members = Record<string, unknown>;

export interface Deployment {
  clock: MovableClock;
  accounts: Accounts;
  checkIns: CheckIns;
  checkInApi: CheckInApi;
  flights: Flights;
  deliveries: Deliveries;
}

const text = (params: Members, name: string): string => {
  const value = params[name];
  if (typeof value !== 'string' || value === '') throw new Error(`${name} has to be a text`);
  return value;
};

const whole = (params: Members, name: string, least: number): number => {
  const value = params[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least)
    throw new Error(`${name} has to be a number from ${least}`);
  return value;
};

const keyOf = (of: Deployment, params: Members) => {
  const key = of.accounts.find(text(params, 'key'));
  if (!key) throw new Error('key is not known');
  return key;
};

const enterpriseOf = (of: Deployment, params: Members): Enterprise => keyOf(of, params).enterprise;

function checkInOf({ checkIns }: Deployment, params: Members) {
  const found = checkIns.all.get(text(params, 'checkin_id'));
  if (!found) throw new Error('checkin_id is not known');
  return found;
}

function oneOf<T>(value: unknown, allowed: readonly T[], name: string): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new Error(`${name} has to be one of ${allowed.join(', ')}`);
  return found;
}

type State = (of: Deployment, params: Members) => object | undefined;

const statuses = ['active', 'suspended', 'none'] as const;
const moved = ['rate-limits', 'lead-time', 'dates', 'check-in-window', 'callbacks'];

export const states: Record<string, State> = {
  capabilities: ({ clock, deliveries }) => ({
    states: Object.keys(states).filter((name) => offers(deliveries, name)),
    now: new Date(clock.now()).toISOString(),
    clock: moved,
  }),
  'clock.advance': ({ clock }, params) => {
    const { seconds } = params;
    if (typeof seconds !== 'number' || !(seconds > 0)) throw new Error('seconds has to be above 0');
    clock.move(seconds * 1_000);
    return { now: new Date(clock.now()).toISOString() };
  },
  'enterprise.create': ({ accounts }, params) => {
    const enterprise = accounts.create({ included_units: whole(params, 'included_units', 0) });
    return { keys: Array.from({ length: whole(params, 'keys', 1) }, () => accounts.issue(enterprise)) };
  },
  'keys.issue': (of, params) => {
    const enterprise = enterpriseOf(of, params);
    return { keys: Array.from({ length: whole(params, 'count', 1) }, () => of.accounts.issue(enterprise)) };
  },
  'keys.revoke': (of, params) => void (keyOf(of, params).active = false),
  'keys.disable': (of, params) => void (keyOf(of, params).active = false),
  'entitlement.set': (of, params) => {
    const { entitlement } = enterpriseOf(of, params);
    const next: Entitlement = { ...entitlement };
    if (params.status !== undefined) next.status = oneOf(params.status, statuses, 'status');
    for (const name of ['included_units', 'consumed_units'] as const) {
      if (params[name] !== undefined) next[name] = whole(params, name, 0);
    }
    Object.assign(entitlement, next);
    return undefined;
  },
  'entitlement.get': (of, params) => ({ ...enterpriseOf(of, params).entitlement }),
  'automation.set': ({ checkIns }, params) => {
    checkIns.automatic = oneOf(params.mode, ['manual', 'auto'], 'mode') === 'auto';
    return undefined;
  },
  'checkin.progress': (of, params) => {
    const status = oneOf(params.status, ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'], 'status');
    of.checkIns.progress(checkInOf(of, params), { ...(params as Partial<Shown>), status });
    of.checkInApi.fresh = of.clock.now();
    return undefined;
  },
  'checkin.rejectResume': (of, params) => void (checkInOf(of, params).rejectResume = true),
  'flights.put': ({ flights }, params) => {
    const { legs } = params;
    if (!Array.isArray(legs) || !legs.every(isObject)) throw new Error('legs has to be an array of legs');
    flights.put(text(params, 'flightNumber'), text(params, 'departureDate'), legs);
    return undefined;
  },
  'flights.change': ({ flights }, params) => {
    if (!isObject(params.changes)) throw new Error('changes has to be an object');
    const [flightNumber, departureDate] = [text(params, 'flightNumber'), text(params, 'departureDate')];
    const place = {
      flightNumber,
      departureDate,
      departureAirportIata: text(params, 'departureAirportIata'),
      arrivalAirportIata: text(params, 'arrivalAirportIata'),
    };
    flights.change(place, params.changes);
    return undefined;
  },
  'provider.fail': ({ flights }, params) => {
    flights.failure = oneOf(params.mode, ['unavailable', 'invalid-data', 'subscription', null], 'mode');
    return undefined;
  },
  'callbacks.route': ({ deliveries }, params) => {
    const { ca } = params;
    deliveries.route(text(params, 'host'), {
      address: text(params, 'address'),
      ...(typeof ca === 'string' && { ca }),
    });
    return undefined;
  },
  'callbacks.pending': ({ deliveries }) => ({ pending: deliveries.pending }),
  reset: (of, params) => {
    const enterprise = enterpriseOf(of, params);
    of.checkIns.forget(enterprise);
    of.flights.forget(enterprise);
    of.accounts.forget(enterprise);
    return undefined;
  },
};

function offers({ countsPending }: Deliveries, state: string): boolean {
  return countsPending || state !== 'callbacks.pending';
}

/** The answer to a request of the protocol: status and body. */
export function setState(of: Deployment, body: unknown): { status: number; body: object } {
  if (!isObject(body) || typeof body.state !== 'string' || !isObject(body.params)) {
    return { status: 400, body: { ok: false, error: 'expected {"state": name, "params": {}}' } };
  }
  const isKnown = Object.hasOwn(states, body.state) && offers(of.deliveries, body.state);
  const state = isKnown ? states[body.state] : undefined;
  if (!state) return { status: 501, body: { ok: false, error: 'UNSUPPORTED_STATE' } };
  try {
    return { status: 200, body: { ok: true, ...state(of, body.params) } };
  } catch (error) {
    return {
      status: 400,
      body: { ok: false, error: error instanceof Error ? error.message : String(error) },
    };
  }
}
