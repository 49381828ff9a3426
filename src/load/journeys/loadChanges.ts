import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { FlightLeg } from '../../generate/flightAlerts/flightSubscription.ts';
import { journey, upstreamLeg } from '../../generate/flightAlerts/upstreamLeg.ts';
import type { Identities } from '../../generate/kit/identity.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { utcDate } from '../../spec/kit/localTime.ts';
import { passOf } from '../../spec/rules/passes.ts';
import type { Change, CausedChanges } from './causedChanges.ts';
import { JourneyFailed } from './journey.ts';

type LoadState = 'checkin.progress' | 'flights.put' | 'flights.change';

/** What it takes to cause a change and to see its webhook. */
export interface ChangeOptions {
  readonly identities: Identities;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly changes: CausedChanges;
  /** How long to wait for the webhook of a change. */
  readonly webhookPatienceMs: number;
  /** Sets a state by the state handler. */
  readonly set: (state: LoadState, params: JsonObject) => Promise<void>;
  /** Calls back at each delivery to an address. */
  readonly watch: (registration: string, wake: () => void) => () => void;
}

/** The message of one change and of no other, as it stands somewhere in a text. */
export function markIn(text: unknown): string | null {
  const form = /Gatecheck change [a-z0-9]{12,}|^G[a-z0-9]{12,}$/;
  return typeof text === 'string' ? (form.exec(text)?.[0] ?? null) : null;
}

interface Causing {
  readonly step: string;
  readonly checkinId: string;
  readonly status: string;
  readonly registration: string | null;
  readonly last: Exchange | null;
}

/** Causes one change, and waits until its own webhook has come. */
export async function cause(options: ChangeOptions, causing: Causing): Promise<void> {
  const { identities } = options;
  const { checkinId, status, registration } = causing;
  const mark = `Gatecheck change ${identities.token()}`;
  const subStatus = status === 'SCHEDULED' ? { sub_status: 'COMPLETE_INFO' } : {};
  // Each record gets a boarding pass that names it, so that nobody is shown one of somebody else unseen.
  const passes = status === 'COMPLETED' ? { boarding_passes: [passOf(checkinId)] } : {};
  const params = { checkin_id: checkinId, status, checkin_message: mark, ...subStatus, ...passes };
  const change = registration === null ? null : { subject: checkinId, status, requirement: 'WCI-CB-021' };
  await setAndWait(options, { ...causing, mark, change, state: 'checkin.progress', params });
}

/** A flight that upstream did not know, far enough ahead. */
export async function newFlight(options: ChangeOptions, step: string, now: number): Promise<FlightLeg> {
  const { identities, set } = options;
  const [departure, arrival] = journey[0] ?? ['DOH', 'SIN'];
  const leg = {
    ...{ flightNumber: identities.flightNumber(), departureDate: utcDate(now, flightDaysAhead) },
    ...{ departure, arrival },
  };
  const { flightNumber, departureDate } = leg;
  await set('flights.put', { flightNumber, departureDate, legs: [upstreamLeg(leg)] }).catch(failing(step));
  return leg;
}

const flightDaysAhead = 30;

/** Gives a leg a gate that no other has, and waits until its notification has come. */
export async function causeAtGate(
  options: ChangeOptions,
  leg: FlightLeg,
  waiting: Pick<Causing, 'step' | 'last'> & { readonly registration: string },
): Promise<void> {
  const mark = `G${options.identities.token()}`;
  const params = {
    ...{ flightNumber: leg.flightNumber, departureDate: leg.departureDate },
    ...{ departureAirportIata: leg.departure, arrivalAirportIata: leg.arrival },
    changes: { departure: { gate: mark } },
  };
  const subject = `${leg.flightNumber} of ${leg.departureDate}`;
  const change = { subject, status: null, requirement: 'FLA-CB-001' };
  await setAndWait(options, { ...waiting, mark, change, state: 'flights.change', params });
}

interface SetAndWait extends Pick<Causing, 'step' | 'registration' | 'last'> {
  readonly mark: string;
  /** Null where no webhook is due. */
  readonly change: Pick<Change, 'subject' | 'status' | 'requirement'> | null;
  readonly state: LoadState;
  readonly params: JsonObject;
}

async function setAndWait(options: ChangeOptions, setting: SetAndWait): Promise<void> {
  const { changes, clock, set } = options;
  const { step, registration, last, mark, change, state, params } = setting;
  if (registration !== null && change !== null)
    changes.caused({ ...change, mark, registration, askedAt: clock.now(), evidence: last });
  try {
    await set(state, params);
  } catch (error) {
    changes.withdraw(mark);
    failing(step)(error);
  }
  if (registration !== null && change !== null) await notified(options, mark, { step, registration });
}

function failing(step: string): (error: unknown) => never {
  return (error) => {
    throw new JourneyFailed(step, error instanceof Error ? error.message : String(error));
  };
}

async function notified(
  { changes, clock, signal, watch, webhookPatienceMs }: ChangeOptions,
  mark: string,
  { step, registration }: { readonly step: string; readonly registration: string },
): Promise<void> {
  const enough = new AbortController();
  const stop = watch(registration, () => {
    if (changes.isTaken(mark)) enough.abort();
  });
  if (changes.isTaken(mark)) enough.abort();
  if (!enough.signal.aborted)
    await clock.sleep(webhookPatienceMs, AbortSignal.any([enough.signal, signal])).catch(() => undefined);
  stop();
  signal.throwIfAborted();
  if (changes.isTaken(mark)) return;
  const what = changes.isTold(mark)
    ? 'was refused by the sink, and did not come again'
    : 'of the change did not come';
  throw new JourneyFailed(step, `the webhook ${what} within ${webhookPatienceMs / 1000} s`);
}
