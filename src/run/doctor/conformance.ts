import { responseOf } from '../../judge/kernel/body.ts';
import { shownLegs } from '../../spec/world/legs.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import { list, lookup } from '../../send/request.ts';
import { StateHandlerError } from '../../target/stateHandler.ts';
import { plural } from '../../report/text/format.ts';
import { hint, lookAtProtocol } from './handlerProtocol.ts';
import { fail, ok, warn, type DoctorLine } from './render.ts';
import type { Patient } from './patient.ts';

/**
 * The conformance test of a state handler: it refuses what the protocol forbids, and each offered state that a read can show
 * takes effect, on a new enterprise and flight. Sends only reads, and uses nobody's quota. If not everything may be tried, only
 * what changes nothing is.
 */
export async function verifyStates(patient: Patient, triesAll: boolean): Promise<readonly DoctorLine[]> {
  const { settings, target } = patient.run;
  if (settings.stateHandler === null || target.stateHandler.states.length === 0) return [];
  const lines = [...(await lookAtProtocol(patient))];
  // One that does not give again what it gave at first is not tried further: each state might take as long to say nothing.
  if (lines.some(({ health }) => health === 'fail')) return lines;
  const seen = new Effects(patient);
  for (const [state, verify] of effects) {
    if (!canBeTried(state, patient) || (!triesAll && !readingStates.has(state))) continue;
    const ended = await verify(seen).catch((error: unknown) => faultOf(error));
    if (ended === null) seen.verified.push(state);
    else if (ended !== unseen) lines.push(fail('state handler', state, ended.fault, hint));
    if (ended !== null && ended !== unseen && !ended.answered) break;
  }
  await seen.undo();
  if (!triesAll) lines.push(untried);
  else if (seen.left.length > 0)
    lines.push(ok('state handler', 'left behind', `by this look: ${seen.left.join(', ')}`));
  const named = seen.verified.length;
  if (named > 0)
    lines.push(
      ok('state handler', 'effects', `${named} states do what they say: ${seen.verified.join(', ')}`),
    );
  return lines;
}

const untried = warn(
  ...(['state handler', 'effects'] as const),
  'not tried, since the target is not local: that makes enterprises, moves its clock and lets upstream fail for a moment',
  'Agree with --yes if the environment is meant for that.',
);

const readingStates: ReadonlySet<string> = new Set(['callbacks.pending']);

/** Some states need a new enterprise, so that no key of the user is touched; some need the API that shows them. */
function canBeTried(state: string, { run: { settings, target } }: Patient): boolean {
  const { stateHandler } = target;
  if (/^(keys|entitlement|reset)\b/.test(state) && !stateHandler.offers('enterprise.create')) return false;
  if (/^(flights|provider)\b/.test(state) && !settings.apis.includes('flight-alerts')) return false;
  return stateHandler.offers(state);
}

interface Fault {
  readonly fault: string;
  /** False if the handler gave no answer at all; the states after that one are not tried. */
  readonly answered: boolean;
}

function faultOf(error: unknown): Fault {
  if (error instanceof StateHandlerError)
    return error.answered
      ? { fault: error.message, answered: true }
      : { fault: `${error.message}; the states after it were not tried`, answered: false };
  if (error instanceof Mismatch) return { fault: error.message, answered: true };
  throw error;
}

/** It was set, but no read shows whether it is so. */
const unseen = 'unseen';

class Mismatch extends Error {}

/** The enterprise and the flight that states are tried on. */
class Effects {
  readonly verified: string[] = [];
  readonly patient: Patient;
  #keys: readonly string[] = [];
  #enterprises = 0;
  #seconds = 0;
  #hasFlight = false;
  readonly flight = { flightNumber: 'LH9871', departureDate: '' };

  constructor(patient: Patient) {
    this.patient = patient;
    this.flight.departureDate = new Date(patient.serverClock.now() + 40 * 86_400_000)
      .toISOString()
      .slice(0, 10);
  }

  /** What is left behind, in words. */
  get left(): readonly string[] {
    return [
      ...(this.#enterprises === 0 ? [] : [plural(this.#enterprises, 'enterprise')]),
      ...(this.#seconds === 0 ? [] : [`a clock that is ${this.#seconds} s further`]),
    ];
  }

  /** Removes the flight again. */
  async undo(): Promise<void> {
    if (this.#hasFlight) await this.set('flights.put', { ...this.flight, legs: [] }).catch(() => undefined);
  }

  async set(state: string, params: Parameters<Patient['run']['target']['stateHandler']['set']>[1]) {
    const answer = await this.patient.run.target.stateHandler.set(state, params);
    if (state === 'enterprise.create') this.#enterprises += 1;
    if (state === 'clock.advance') this.#seconds += Number(params.seconds);
    if (state === 'flights.put') this.#hasFlight = true;
    return answer;
  }

  /** A key of a new enterprise; keys of the run are never revoked or disabled. */
  async key(): Promise<string> {
    if (this.#keys.length === 0) {
      const { keys } = await this.set('enterprise.create', { included_units: 5, keys: 1 });
      this.#keys = this.learn(keys);
      if (this.#keys.length === 0) throw new Mismatch('its answer holds no keys');
    }
    return this.#keys[0] ?? '';
  }

  learn(keys: unknown): readonly string[] {
    const values = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
    for (const value of values) this.patient.run.redactor.add(value, 'key of the doctor');
    return values;
  }

  /** The status that a read gets with a key. */
  async statusFor(value: string): Promise<number | null> {
    const key: ApiKey = { label: 'doctor', enterprise: 'doctor', value };
    const { apis } = this.patient.run.settings;
    const choice = { kind: 'key', key } as const;
    const read = apis.includes('webcheckin')
      ? list({ limit: '1' }, { key: choice })
      : lookup({ ...this.flight }, { key: choice });
    return responseOf(await this.patient.send(read))?.status ?? null;
  }

  /** What a lookup of the flight shows, with a key of the run. */
  async look() {
    const exchange = await this.patient.send(lookup({ ...this.flight }));
    return { status: responseOf(exchange)?.status ?? null, legs: shownLegs(exchange) };
  }
}

/** Whether a read is answered as one with an active key; a server error shows nothing. */
function isTaken(status: number | null): boolean {
  return status !== null && status < 500 && status !== 401 && status !== 403;
}

function expectThat(isTrue: boolean, what: string): null {
  if (!isTrue) throw new Mismatch(what);
  return null;
}

type Verify = (seen: Effects) => Promise<null | typeof unseen>;

/** Each state that a read can show, in an order in which later ones can build on earlier ones. */
const effects: readonly (readonly [state: string, verify: Verify])[] = [
  [
    'enterprise.create',
    async (seen) => {
      const status = await seen.statusFor(await seen.key());
      return expectThat(isTaken(status), `its key is not taken (HTTP ${status})`);
    },
  ],
  [
    'keys.issue',
    async (seen) => {
      const keys = seen.learn((await seen.set('keys.issue', { key: await seen.key(), count: 2 })).keys);
      expectThat(keys.length === 2, `it was asked for 2 keys and gave ${keys.length}`);
      const status = await seen.statusFor(keys[0] ?? '');
      return expectThat(isTaken(status), `a key that it issued is not taken (HTTP ${status})`);
    },
  ],
  ['keys.revoke', (seen) => refuses(seen, 'keys.revoke')],
  ['keys.disable', (seen) => refuses(seen, 'keys.disable')],
  [
    'entitlement.set',
    async (seen) => {
      const key = await seen.key();
      const wanted = { status: 'active', included_units: 7, consumed_units: 3 };
      await seen.set('entitlement.set', { key, ...wanted });
      if (!seen.patient.run.target.stateHandler.offers('entitlement.get')) return unseen;
      const got = await seen.set('entitlement.get', { key });
      const isSame = Object.entries(wanted).every(([name, value]) => got[name] === value);
      return expectThat(isSame, 'entitlement.get does not show what was set');
    },
  ],
  [
    'clock.advance',
    async (seen) => {
      const before = await seen.set('capabilities', {});
      const { now } = await seen.set('clock.advance', { seconds: 60 });
      const moved = instantOf(now) - instantOf(before.now);
      if (Number.isNaN(moved))
        throw new Mismatch(`${now === undefined ? 'its answer' : 'capabilities'} tells no now`);
      return expectThat(
        moved >= 60_000,
        `it was asked for 60 s, and now moved by ${Math.round(moved / 1000)} s`,
      );
    },
  ],
  [
    'flights.put',
    async (seen) => {
      await seen.set('flights.put', { ...seen.flight, legs: [leg] });
      const { status, legs } = await seen.look();
      return expectThat(
        status === 200 && legs.length === 1,
        `a lookup of the flight gets HTTP ${status} with ${legs.length} legs`,
      );
    },
  ],
  [
    'provider.fail',
    async (seen) => {
      await seen.set('provider.fail', { mode: 'unavailable' });
      const { status } = await seen.look().finally(() => seen.set('provider.fail', { mode: null }));
      return expectThat(
        status === 502,
        `a lookup gets HTTP ${status} while upstream is unavailable, not 502`,
      );
    },
  ],
  [
    'callbacks.pending',
    async (seen) => {
      const { pending } = await seen.set('callbacks.pending', {});
      return expectThat(Number.isInteger(pending) && Number(pending) >= 0, 'pending is no count');
    },
  ],
  [
    'reset',
    async (seen) => {
      await seen.set('reset', { key: await seen.key() });
      const status = await seen.statusFor(await seen.key());
      return expectThat(isTaken(status), `the key does not stay (HTTP ${status})`);
    },
  ],
];

function instantOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

const leg = { departure: { airportIata: 'FRA' }, arrival: { airportIata: 'JFK' } };

/** Tries a state on a separate key only. */
async function refuses(seen: Effects, state: string): Promise<null> {
  const { keys } = await seen.set('enterprise.create', { included_units: 1, keys: 1 });
  const [key = ''] = seen.learn(keys);
  // A made-up key is refused as well.
  const before = await seen.statusFor(key);
  expectThat(isTaken(before), `the key of a new enterprise gets HTTP ${before} before it`);
  await seen.set(state, { key });
  const status = await seen.statusFor(key);
  return expectThat(status === 401, `the key gets HTTP ${status} afterwards, not 401`);
}
