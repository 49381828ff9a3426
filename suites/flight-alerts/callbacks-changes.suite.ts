import { type LegChanges, fixed, generate, isObject, property, suite, utcDate } from '../checks.ts';
import { watchLeg } from '../support/legChanges.ts';

const changesPerCase = 3;
const needs = ['public-sink', 'state:flights.put', 'state:flights.change'] as const;
const valueRules = ['FLA-CB-001', 'FLA-CB-008', 'FLA-CB-009', 'FLA-CB-010', 'FLA-CB-022', 'FLA-CB-024'];
const nullRules = ['FLA-CB-001', 'FLA-CB-011'];
const alternateRules = ['FLA-CB-001', 'FLA-CB-012', 'FLA-CB-013'];
const stopoverRules = ['FLA-CB-001', 'FLA-CB-014'];
const statusRules = ['FLA-CB-001', 'FLA-CB-024'];
const everyStatusRules = ['FLA-CB-001', 'FLA-CB-008', 'FLA-CB-009', 'FLA-CB-024'];
const allRules = [
  'FLA-CB-001',
  'FLA-CB-008',
  'FLA-CB-009',
  'FLA-CB-010',
  'FLA-CB-011',
  'FLA-CB-012',
  'FLA-CB-013',
  'FLA-CB-014',
  'FLA-CB-022',
  'FLA-CB-024',
];

export default suite('Flight alerts: what notifications say', [
  fixed({
    id: 'fla.callbacks.change',
    title: 'a change of several members is notified with the new values, and with nothing else',
    verifies: valueRules,
    needs,
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const tell = await watchLeg(t, {}, departureDate);
      await tell({ departure: { gate: 'Z9' } });
      // Upstream says it again, which changes nothing.
      await tell({ departure: { gate: 'Z9' } });
      await tell({
        status: 'delay',
        isCodeshare: 0,
        departure: {
          gate: 'B12',
          terminal: '7',
          estimatedTime: `${departureDate} 10:40:00`,
          boardingStatus: 'Remote stand',
        },
        arrival: { baggageBelt: '\u00c9 11', estimatedTime: `${departureDate} 13:45:00` },
      });
      // Letter case is all that changes.
      await tell({ departure: { gate: 'b12' } });
      // The same number, minute and plain letters to whoever compares those.
      await tell({
        departure: { terminal: '07', estimatedTime: `${departureDate} 10:40:30` },
        arrival: { baggageBelt: 'E 11' },
      });
      // Offsets too, one after the other, so that another subscription's would show.
      const arrival = { terminal: 'Ñ-2', utcOffsetSeconds: 20_700 };
      await tell({ isCodeshare: 1, codeshareFlightNumber: 'EK 77', arrival });
      await tell({ airline: { name: 'Gatecheck Airways' }, arrival: { utcOffsetSeconds: 12_600 } });
    },
  }),

  fixed({
    id: 'fla.callbacks.cleared',
    title: 'a value that is cleared is notified as an explicit null, alone and beside others',
    verifies: nullRules,
    needs,
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const actual = { departure: { actualTime: `${departureDate} 09:30:00` } };
      const tell = await watchLeg(t, actual, departureDate);
      await tell({ departure: { gate: null } });
      await tell({
        departure: { terminal: 'T3', actualTime: null },
        arrival: { baggageBelt: null },
      });
      await tell({ codeshareFlightNumber: null, arrival: { estimatedTime: null, terminal: '9' } });
    },
  }),

  fixed({
    id: 'fla.callbacks.alternates',
    title: 'alternate routes are notified as a whole when they change, and only then',
    verifies: [...alternateRules, 'FLA-OPN-030'],
    needs,
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const [first, second, third] = generate.alternateRoutes(departureDate);
      const tell = await watchLeg(t, {}, departureDate);
      await tell({ alternateInfo: [first ?? {}, second ?? {}] });
      await tell({ status: 'diversion' });
      await tell({ status: 'circling', departure: { gate: 'C3' }, arrival: { baggageBelt: '8' } });
      await tell({ alternateInfo: [third ?? {}, first ?? {}] });
      // A detail of a route, and no more.
      await tell({ alternateInfo: [third ?? {}, { ...first, arrival: null }] });
      const cleared = await tell({ alternateInfo: null });
      const told = cleared.notices
        .map(({ changes }) => changes.alternateInfo)
        .find((one) => one !== undefined);
      if (told === null) t.observe('FLA-OPN-030', 'null-value', cleared.seen);
      else if (Array.isArray(told) && told.length === 0)
        t.observe('FLA-OPN-030', 'empty-array', cleared.seen);
    },
  }),

  fixed({
    id: 'fla.callbacks.stopover',
    title: 'a stopover that is added, changed or removed is notified under stopover',
    verifies: [...stopoverRules, 'FLA-OPN-013', 'FLA-OPN-029'],
    needs,
    run: async (t) => {
      // Not without one, which a notification of the registration would contain as well.
      const tell = await watchLeg(t, { stopover: { airportIata: 'DMM', city: 'Dammam' } });
      await tell({ stopover: { airportIata: null, city: null } });
      await tell({ stopover: { airportIata: 'KWI', city: 'Kuwait City' } });
      const city = await tell({ stopover: { city: 'Al Kuwayt' } });
      for (const { changes } of city.notices) {
        if (!isObject(changes.stopover)) continue;
        const isWhole = changes.stopover.airportIata !== undefined;
        t.observe('FLA-OPN-013', isWhole ? 'whole-object' : 'changed-members', city.seen);
      }
      // The airport goes and the city stays, which is no stopover that is gone. With a gate, so that a report of one that is
      // gone is not taken for the first one again.
      await tell({ stopover: { airportIata: null }, departure: { gate: 'S1' } });
      // Only one of the two members goes, so that whole objects and changed members can be distinguished.
      await tell({ stopover: { airportIata: 'BAH', city: null } });
      const cleared = await tell({ stopover: { airportIata: null } });
      for (const { changes } of cleared.notices) {
        const { stopover } = changes;
        if (stopover === null) t.observe('FLA-OPN-029', 'null-value', cleared.seen);
        else if (isObject(stopover))
          t.observe(
            'FLA-OPN-029',
            stopover.city === undefined ? 'changed-members' : 'object-of-nulls',
            cleared.seen,
          );
      }
    },
  }),

  fixed({
    id: 'fla.callbacks.statuses',
    title: 'a status is notified exactly as upstream has it',
    verifies: statusRules,
    needs,
    run: async (t) => {
      const tell = await watchLeg(t);
      for (const status of ['cancel', ' circled ', 'diverted flight arrival', 'New thing', 'delay'])
        await tell({ status });
    },
  }),

  fixed({
    id: 'fla.callbacks.every-status',
    title: 'whatever status a leg has or had, its changes are notified',
    verifies: everyStatusRules,
    needs,
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const tell = await watchLeg(t, {}, departureDate);
      for (const [index, status] of [...generate.knownStatuses, null, 'New thing'].entries())
        await tell({ status, ...besides[index % besides.length]?.(`${index + 1}`) });
      // What was notified before is notified again when it changes back.
      for (const gate of ['C8', 'C9', 'C8']) await tell({ departure: { gate } });
      // In the end a change of something else alone: the schedule was moved, and the gate.
      await tell({ departure: { gate: 'C7', scheduledTime: `${departureDate} 09:20:00` } });
    },
  }),

  property({
    id: 'fla.callbacks.merge',
    title: 'the snapshot before, with the notified changes applied, is the snapshot after',
    verifies: allRules,
    needs,
    maxCases: 12,
    run: async (t) => {
      const departureDate = utcDate(t.now(), 40);
      const sequences = generate.sequence(generate.legChange(departureDate), changesPerCase);
      await t.forAll('changes of a leg', sequences, async (all) => {
        const tell = await watchLeg(t, {}, departureDate);
        for (const changes of all) await tell(changes);
      });
    },
  }),
]);

/** What changes together with a status, in turn. */
const besides: readonly ((value: string) => LegChanges)[] = [
  (baggageBelt) => ({ arrival: { baggageBelt } }),
  (value) => ({ departure: { gate: `D${value}` } }),
  (value) => ({ arrival: { terminal: `T${value}` } }),
  (value) => ({ arrival: { city: `City ${value}` } }),
];
