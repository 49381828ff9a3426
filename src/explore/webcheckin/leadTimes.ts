import { hourMs, minuteMs } from '../../spec/kit/localTime.ts';
import { objectsAt, textAt, type JsonObject } from '../../spec/kit/json.ts';
import type { Situation } from '../situation.ts';
import { withPassengers, type Stage, type Trip } from '../stage.ts';
import { subscribeWith, spending } from './subscribes.ts';

type Wci = Situation<Stage>;

const hours = [0.4, 3, 5.6, 5.93, 6.07, 6.4, 9, 24, 30 * 24] as const;
/** Nearer to six hours than this only where the clock is sure. */
const marginHours = 0.35;
const trips: readonly Trip[] = ['international', 'domestic', 'dateLine', 'twoLeg'];
const suffixes = ['', 'Z', '+14:00', '-12:00'] as const;

/** Departures on both sides of six hours, with suffixes that are to be ignored. */
export const leadTimes: readonly Wci[] = hours.flatMap((lead) =>
  trips.flatMap((trip) =>
    suffixes.map((suffix): Wci => ({
      name: `lead of ${lead} h ${trip} ${suffix}`,
      family: 'lead times',
      cells: [
        `lead ${lead}`,
        `lead ${trip}`,
        `lead ${suffix}`,
        `lead ${lead} ${trip}`,
        `lead ${lead} ${suffix}`,
      ],
      ...(lead < 6 ? { price: 1 } : spending(1)),
      worth: 1,
      isPossible: (stage) =>
        stage.has(trip) && (Math.abs(lead - 6) > marginHours || stage.bench.isClockSure()),
      bring: async (stage) => {
        await stage.prepare(trip);
        if (!stage.has(trip)) return;
        const leadMs = lead * hourMs + stage.roll(2) * minuteMs;
        const body = stage.booking({ trip, leadMs });
        const spelled = withSuffix(body, suffix);
        const isWhole = stage.random() < 0.7;
        const booked = isWhole
          ? spelled
          : withPassengers(spelled, (all) => all.map((one) => ({ ...one, passport: null })));
        await subscribeWith(stage, booked, { what: `lead ${lead}` });
      },
    })),
  ),
);

function withSuffix(body: JsonObject, suffix: string): JsonObject {
  const flights = objectsAt(body, 'flights').map((leg) => ({
    ...leg,
    departure_datetime: `${textAt(leg, 'departure_datetime')}${suffix}`,
  }));
  return { ...body, flights };
}
