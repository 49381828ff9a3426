import { z } from 'zod';
import { usageError } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import { isLoopback } from '../core/loopback.ts';
import type { Settings } from '../core/settings.ts';
import { ownershipOf } from '../plan/budgets.ts';
import { familiarFlights } from '../plan/familiarFlights.ts';
import type { Plan } from '../plan/plan.ts';
import { plural } from '../report/text/format.ts';
import { oneLine, shorten } from '../report/text/printable.ts';
import { row } from '../settings/row.ts';
import { renderForecast } from './renderPlan.ts';

/** Options of commands that send to a deployment. */
export const agreementTable = {
  yes: row({
    form: z.boolean(),
    default: false,
    flag: '--yes',
    variable: 'GATECHECK_YES',
    help: 'agree in advance to what is sent to a target that is not local, for use without a terminal',
  }),
};

/**
 * Asks for confirmation before anything is sent to a deployment that is not local, and says what will be sent. Without a
 * terminal the answer has to be given in advance. Throws a usage error if it is no.
 */
export async function agree(
  settings: Settings,
  { yes, forecast }: { readonly yes: boolean; readonly forecast: () => Promise<readonly string[]> },
  io: Io,
): Promise<void> {
  if (yes || ownershipOf(settings) !== 'foreign') return;
  const target = targetText(settings);
  const lines = await forecast();
  if (io.ask === null)
    throw usageError(
      'NOT_AGREED',
      `expected --yes, since ${target} is not local and there is no terminal to ask on; got no agreement to ${lines.join(', ')}`,
      'Nothing was sent. The command plan with the options of a run shows what it would send.',
    );
  io.stderr.write(
    `This run sends to ${target}, which is not local:\n${lines.map((line) => `  ${line}\n`).join('')}`,
  );
  const answer = await io.ask('Continue? [y/N] ');
  if (!/^\s*y(es)?\s*$/i.test(answer))
    throw usageError(
      'NOT_AGREED',
      `expected y or yes; got ${answer.trim() === '' ? 'no answer' : 'another answer'}`,
      'Nothing was sent.',
    );
}

/**
 * Whether the doctor may try what a state handler offers. On this machine it may; elsewhere somebody has to agree, and without
 * an answer nothing is changed.
 */
export async function mayTryStates(settings: Settings, yes: boolean, io: Io): Promise<boolean> {
  const { stateHandler, readOnly } = settings;
  // With --read-only only states that change nothing are tried.
  if (stateHandler === null || yes || readOnly) return true;
  if (ownershipOf(settings) !== 'foreign' && isLoopback(stateHandler.url)) return true;
  if (io.ask === null) return false;
  io.stderr.write(
    `The state handler of ${targetText(settings)}, which is not local, can be tried. That changes the deployment:\n` +
      statesTried.map((line) => `  ${line}\n`).join(''),
  );
  return /^\s*y(es)?\s*$/i.test(await io.ask('Try it? [y/N] '));
}

const statesTried = [
  'up to three new enterprises with keys of their own, which stay',
  'its clock moves forward by a minute',
  'upstream fails for one request; a flight is added and removed again',
];

/** What a run sends, spends and leaves behind, one line each. */
export async function runForecast(plan: Plan, settings: Settings): Promise<readonly string[]> {
  const { total, budgets } = plan;
  const left = total.quota + total.subscriptions;
  return [
    `about ${plural(total.requests, 'request')} of at most ${budgets.maxRequests}, ${renderForecast(plan, settings)}`,
    `${plural(total.quota, 'quota unit')} of at most ${budgets.maxQuota}, ${plural(total.subscriptions, 'flight subscription')} of at most ${budgets.maxSubscriptions}`,
    permanence(left),
    ...(await flightLines(settings)),
  ];
}

/** What remains of so many units and subscriptions. */
export function permanence(left: number): string {
  return left === 0 ? 'nothing permanent' : 'subscriptions are permanent, since neither API can delete';
}

/** The flights that are used in bookings, lookups and subscriptions. */
export async function flightLines({ apis, itineraries, flights }: Settings): Promise<readonly string[]> {
  const { itinerariesToTry } = await import('../spec/kit/places.ts');
  const kinds = ['international', 'domestic', 'twoLeg', 'dateLine'] as const;
  const booked = kinds.flatMap((kind) => {
    const [first] = itinerariesToTry(kind, kind === 'dateLine' ? null : itineraries[kind]);
    return first?.legs.map(({ flightNumber }) => withAirline(first.airline, flightNumber)) ?? [];
  });
  const lookedUp = flights.length > 0 ? flights.map(({ flightNumber }) => flightNumber) : familiarFlights;
  return [
    ...(apis.includes('webcheckin') ? [`bookings on ${listed(booked)}, others if these are refused`] : []),
    ...(apis.includes('flight-alerts') ? [`flight alerts of ${listed(lookedUp)}`] : []),
  ];
}

function withAirline(airline: string, flightNumber: string): string {
  return /^\d/.test(flightNumber) ? `${airline}${flightNumber}` : flightNumber;
}

function listed(flights: readonly string[]): string {
  return oneLine(shorten([...new Set(flights)].join(', '), 200));
}

function targetText({ target }: Settings): string {
  return target.kind === 'url' ? [...new Set(Object.values(target.baseUrls))].join(' and ') : target.kind;
}
