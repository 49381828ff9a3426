import { VirtualClock } from '../../src/core/virtualClock.ts';
import { createDeployment, type Deployment, type OutgoingRequest } from '../../src/reference/deployment.ts';
import { defaultEnterprises, type DefaultKeys } from '../../src/reference/enterprises.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A deployment on virtual time whose callbacks are collected, with short ways to call it; for unit tests. */
export interface Bench {
  readonly deployment: Deployment;
  readonly clock: VirtualClock;
  readonly keys: DefaultKeys;
  readonly delivered: OutgoingRequest[];
  /** Status that the next deliveries are answered with. */
  answer: number;
  /** Where redirects point. */
  location: string;
  get(path: string, key?: string): Promise<Reply>;
  post(path: string, body: unknown, key?: string): Promise<Reply>;
  send(path: string, init: RequestInit): Promise<Reply>;
  state(state: string, params?: Record<string, unknown>): Promise<Reply>;
}

/** Noon, so that dates do not turn. */
const benchStart = Date.UTC(2031, 2, 4, 12);

export function createBench(policy: Partial<Policy> = {}, start: number = benchStart): Bench {
  const clock = new VirtualClock(start);
  const delivered: OutgoingRequest[] = [];
  const bench: Bench = {
    clock,
    delivered,
    answer: 200,
    location: '/elsewhere',
    keys: defaultEnterprises(1).keys,
    deployment: createDeployment({
      clock,
      policy: { ...documentedPolicy, ...policy },
      limits: { perMinute: 60, perHour: 1000 },
      deliver: (request) => {
        delivered.push(request);
        return Promise.resolve({ status: bench.answer, location: bench.location });
      },
    }),
    get: (path, key) => bench.send(path, { headers: headersOf(key, bench) }),
    post: (path, body, key) =>
      bench.send(path, {
        method: 'POST',
        headers: { ...headersOf(key, bench), 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    send: async (path, init) => replyOf(await bench.deployment.fetch(new Request(`${base}${path}`, init))),
    state: async (state, params = {}) => {
      const init = { method: 'POST', body: JSON.stringify({ state, params }) };
      return replyOf(await bench.deployment.stateHandler(new Request('http://reference/_state', init)));
    },
  };
  return bench;
}

const base = 'http://reference/extPartner/api/';

function headersOf(key: string | undefined, bench: Bench): Record<string, string> {
  return { 'x-api-key': key ?? bench.keys.primary[0] ?? '' };
}

async function replyOf(response: Response): Promise<Reply> {
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

/** A passenger with every optional field filled. */
export const passenger = {
  first_name: 'Ada',
  last_name: 'Tester',
  email: 'ada@example.com',
  country_code: '+44',
  phone: '5550100',
  date_of_birth: '1990-01-01',
  nationality: 'GB',
  country_of_residence: 'GB',
  passport: {
    number: 'X1234567',
    date_of_issue: '2025-01-01',
    expiry_date: '2035-01-01',
    place_of_issue: 'London',
    nationality: 'GB',
  },
  seat_preference: { row_preference: 'front', column_preference: 'aisle' },
};

export const flight = {
  airline: 'EK',
  flight_number: '1',
  origin: 'DXB',
  destination: 'LHR',
  departure_datetime: '2031-03-20T10:20:00',
};

let drawn = 0;

/** A complete booking with a record locator of its own, ten days ahead of `benchStart`. */
export function booking(changes: Record<string, unknown> = {}): Record<string, unknown> {
  drawn += 1;
  const pnr = `T${String(drawn).padStart(5, '0')}`;
  return { pnr, flights: [flight], passengers: [passenger], ...changes };
}

export const callbackData = {
  callbackUrl: 'https://sink.example.com/hook?x=1',
  auth_header: 'X-API-Key: throwaway',
};
