import { type Route, fixed, suite, utcDate } from '../checks.ts';
import { type LegToPut, lookUp, put } from '../support/flights.ts';

/** A leg that departs and arrives after midnight, though not scheduled to depart then, at an airport behind UTC. */
function overnight(date: string, next: string): LegToPut {
  const [scheduledTime, estimatedTime, actualTime] = [
    `${date} 22:25:00`,
    `${next} 00:15:30`,
    `${next} 00:20:40`,
  ];
  const route: Route = ['DOH', 'SIN'];
  const arrival = {
    ...{ scheduledTime: `${next} 06:35:00`, estimatedTime: `${next} 08:10:20` },
    ...{ actualTime: `${next} 08:05:10`, utcOffsetSeconds: -12_600 },
  };
  return { route, changes: { departure: { scheduledTime, estimatedTime, actualTime }, arrival } };
}

/** A leg that departs and arrives at midnight itself, which is neither 24:00:00 of the day before nor no time. */
function atMidnight(date: string, next: string): LegToPut {
  const departure = { scheduledTime: `${date} 00:00:00`, estimatedTime: `${date} 00:00:00` };
  const arrival = { scheduledTime: `${next} 00:00:00`, estimatedTime: `${next} 00:00:00` };
  return { route: ['DOH', 'NRT'], changes: { departure, arrival } };
}

/** A leg with a schedule and estimates, of which upstream knows little else. */
const bare: LegToPut = {
  route: ['DOH', 'BKK'],
  changes: {
    status: 'delay',
    departure: { terminal: null, gate: null, actualTime: null },
    arrival: { terminal: null, baggageBelt: null, actualTime: null },
  },
};

export default suite('Leg snapshot: midnight and gaps', [
  fixed({
    id: 'fla.snapshot.overnight',
    title:
      'times at and after midnight keep their date, offsets their sign, and what upstream does not have is not made up',
    verifies: ['FLA-GET-001', 'FLA-SNP-017', 'FLA-SNP-030', 'FLA-SNP-032'],
    needs: ['state:flights.put'],
    run: async (t) => {
      const [departureDate, next] = [utcDate(t.now(), 40), utcDate(t.now(), 41)];
      const nights = [overnight(departureDate, next), atMidnight(departureDate, next)];
      await lookUp(t, await put(t, [...nights, bare], { departureDate }));
    },
  }),
]);
