import { Explorer, type Exploration } from '../explore.ts';
import type { Bench, Situation } from '../situation.ts';
import { changes } from './changes.ts';
import { deliveries, flightClocks } from './deliveries.ts';
import { dueFlightLook } from './flightLooks.ts';
import { FlightStage, type FlightMeans } from './flightStage.ts';
import { clients } from './clients.ts';
import { lookups } from './lookups.ts';
import { partners } from './partners.ts';
import { repeats } from './repeats.ts';
import { flightSubscribes } from './subscribes.ts';
import { upstream } from './upstream.ts';

/** Brings situations of Flight Alerts about until the requests are spent. It asserts nothing. */
export function flightAlerts(bench: Bench, exploration: Exploration & FlightMeans): Explorer<FlightStage> {
  const stage = new FlightStage(bench, exploration);
  return new Explorer(exploration, {
    ...{
      stage,
      dueLook: dueFlightLook,
      plain: ['subscribe hooked by primary'],
      situations: situations(bench.now()),
    },
    prepare: () => stage.findFlight(),
    close: () => Promise.resolve(),
  });
}

function situations(now: number): readonly Situation<FlightStage>[] {
  return [
    ...lookups(now),
    ...clients,
    ...flightSubscribes(now),
    ...repeats(),
    ...changes(),
    ...upstream(),
    ...deliveries,
    ...flightClocks,
    ...partners(),
  ];
}
