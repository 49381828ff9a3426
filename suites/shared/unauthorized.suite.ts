import {
  type CheckContext,
  type RequestOptions,
  fixed,
  flightSubscribe,
  noKey,
  rawRequest,
  responseOf,
  sparing,
  status,
  subscribe,
  suite,
  table,
  update,
} from '../checks.ts';
import { contraryPassengers } from '../support/checkin.ts';
import { flightCall, keyRefused, recordCall } from '../support/calls.ts';
import { emptyKey, primary, unknownKey, untilRefused, withKey } from '../support/keys.ts';
import { judgeUnlisted } from '../support/rejections.ts';
import { multipart, updateParts } from '../support/multipart.ts';
import { anyLookup } from '../support/reads.ts';
import { namedOperations, nobody, sendInvalid, sendNamed } from '../support/unauthorized.ts';

/** An update of a record that does not exist, otherwise valid. */
const whole = { checkin_id: nobody, passengers: [{ first_name: 'Testa', last_name: 'Gatecheck' }] };

/** Requests without a usable key that are also invalid, each with a valid counterpart. */
const invalidAsWell = [
  {
    rule: 'SHR-AUT-010',
    name: 'status without checkin_id',
    valid: () => status({ checkin_id: nobody }, { key: noKey }),
    request: () => status({}, { key: noKey }),
  },
  {
    rule: 'SHR-AUT-010',
    name: 'update with broken JSON',
    valid: () => update(whole, { key: noKey }),
    request: () => rawRequest('wci.update', '{', 'application/json', { key: noKey }),
  },
  {
    rule: 'SHR-AUT-010',
    name: 'update with broken multipart',
    valid: (t: CheckContext) => multipart(t, 'wci.update', updateParts(whole), { key: noKey }),
    request: () =>
      rawRequest('wci.update', 'no parts', 'multipart/form-data; boundary=gatecheck', { key: noKey }),
  },
  {
    rule: 'SHR-AUT-010',
    name: 'update with an empty object',
    valid: (t: CheckContext) => update(whole, { key: unknownKey(t) }),
    request: (t: CheckContext) => update({}, { key: unknownKey(t) }),
  },
  {
    rule: 'SHR-AUT-010',
    name: 'subscribe with an empty object',
    valid: (t: CheckContext) => recordCall(t, 'subscribe', { key: unknownKey(t) }),
    request: (t: CheckContext) => subscribe({}, { key: unknownKey(t) }),
  },
];

export default suite('Authentication: every operation', [
  table({
    id: 'wci.auth.missing',
    title: 'a request about a record without a key is 401',
    verifies: ['SHR-AUT-001'],
    uses: ['workbench-record'],
    rows: ['status', 'subscribe'].map((operation) => ({
      rule: 'SHR-AUT-001',
      name: `/extPartner/api/webcheckin/${operation}`,
    })),
    run: async (t, rows) => {
      const { checkinId } = await t.fixtures.workbenchRecord();
      const requests = [
        status({ checkin_id: checkinId }, { key: noKey }),
        subscribe(await t.fixtures.booking(), { key: noKey }),
      ];
      await t.each(rows, (row) => sendNamed(t, row, requests));
    },
  }),

  fixed({
    id: 'fla.auth.missing',
    title: 'a flight subscribe without a key, or with an unknown one, is 401',
    verifies: ['SHR-AUT-002', 'SHR-AUT-004'],
    needs: ['writes', 'subscriptions'],
    uses: ['known-flight'],
    run: async (t) => {
      const leg = await t.fixtures.knownLeg();
      const body = {
        flightNumber: leg.flightNumber,
        departureDate: leg.departureDate,
        departureAirportIata: leg.departure,
        arrivalAirportIata: leg.arrival,
      };
      for (const key of [noKey, unknownKey(t)]) await t.send(flightSubscribe(body, { key }));
    },
  }),

  table({
    id: 'wci.auth.unknown',
    title: 'an unknown key is 401 on status and update',
    verifies: ['SHR-AUT-004'],
    uses: ['workbench-record'],
    rows: ['status', 'update'].map((operation) => ({
      rule: 'SHR-AUT-004',
      name: `/extPartner/api/webcheckin/${operation}`,
    })),
    run: async (t, rows) => {
      const { checkinId, body } = await t.fixtures.workbenchRecord();
      const key = unknownKey(t);
      const requests = [
        status({ checkin_id: checkinId }, { key }),
        update({ checkin_id: checkinId, passengers: body.passengers }, { key }),
      ];
      await t.each(rows, (row) => sendNamed(t, row, requests));
    },
  }),

  table({
    id: 'wci.auth.empty',
    title: 'status, update and subscribe are 401 with an empty key',
    verifies: ['SHR-AUT-003'],
    needs: ['writes'],
    rows: namedOperations('SHR-AUT-003'),
    run: (t, rows) =>
      t.each(rows, async ({ operation }) => {
        await t.send(recordCall(t, operation, { key: emptyKey }));
      }),
  }),

  table({
    id: 'wci.auth.other-header',
    title: 'a key in the Authorization header does not authenticate where a record is named or sent',
    verifies: ['SHR-AUT-011'],
    needs: ['writes'],
    rows: namedOperations('SHR-AUT-011'),
    run: (t, rows) =>
      t.each(rows, async ({ operation }) => {
        const bare = await t.send(recordCall(t, operation, { key: noKey }));
        t.assume(keyRefused(bare).status === 'holds', 'the operation is served without any key');
        const headers = [['Authorization', `Bearer ${primary(t).value}`]] as const;
        await t.send(recordCall(t, operation, { key: noKey, headers }));
      }),
  }),

  fixed({
    id: 'fla.auth.other-header',
    title: 'a key in the Authorization header opens neither operation of flight alerts',
    verifies: ['SHR-AUT-011'],
    needs: ['writes'],
    run: (t) =>
      t.each(
        [
          { name: 'lookup', call: (options: RequestOptions) => anyLookup(t, options) },
          { name: 'subscribe', call: (options: RequestOptions) => flightCall(t, options) },
        ],
        async ({ call }) => {
          const bare = await t.send(call({ key: noKey }));
          t.assume(keyRefused(bare).status === 'holds', 'the operation is served without any key');
          const headers = [['Authorization', `Bearer ${primary(t).value}`]] as const;
          await t.send(call({ key: noKey, headers }));
        },
      ),
  }),

  fixed({
    id: 'fla.auth.empty',
    title: 'a flight subscribe with an empty key is 401',
    verifies: ['SHR-AUT-003'],
    needs: ['writes'],
    run: async (t) => {
      await t.send(flightCall(t, { key: emptyKey }));
    },
  }),

  deadOnRecords('revoked', 'SHR-AUT-006'),
  deadOnRecords('disabled', 'SHR-AUT-007'),
  deadOnFlights('revoked', 'SHR-AUT-006'),
  deadOnFlights('disabled', 'SHR-AUT-007'),

  table({
    id: 'wci.auth.before-validation',
    title: 'a bad key is 401 although the request is invalid as well',
    verifies: ['SHR-AUT-010'],
    needs: ['writes'],
    rows: invalidAsWell,
    run: (t, rows) => t.each(rows, ({ valid, request }) => sendInvalid(t, request(t), valid(t))),
  }),

  fixed({
    id: 'fla.auth.before-validation',
    title: 'a lookup without key and parameters is 401',
    verifies: ['SHR-AUT-010'],
    run: async (t) => {
      const valid = anyLookup(t, { key: noKey });
      await sendInvalid(t, { ...valid, query: '' }, valid);
    },
  }),

  fixed({
    id: 'fla.auth.subscribe-before-validation',
    title: 'a flight subscribe without key and fields is 401',
    verifies: ['SHR-AUT-010'],
    needs: ['writes'],
    run: (t) => sendInvalid(t, flightSubscribe({}, { key: noKey }), flightCall(t, { key: noKey })),
  }),

  fixed({
    id: 'wci.auth.no-effect-of-update',
    title: 'an update without a key is 401 and changes nothing',
    verifies: ['SHR-AUT-001', 'SHR-AUT-013'],
    uses: ['workbench-record'],
    run: async (t) => {
      const record = await t.fixtures.workbenchRecord();
      const read = status({ checkin_id: record.checkinId });
      const passengers = contraryPassengers(record, await t.send(read));
      await t.send(update({ checkin_id: record.checkinId, passengers }, { key: noKey }));
      await t.send(read);
    },
  }),

  sparing({
    id: 'wci.auth.no-effect-of-subscribe',
    title: 'a subscribe with an unknown key is 401 and creates nothing',
    verifies: ['SHR-AUT-004', 'SHR-AUT-013'],
    uses: ['complete-record'],
    run: async (t) => {
      const booking = await t.fixtures.booking();
      const x = await t.send(subscribe(booking, { key: unknownKey(t) }));
      if (responseOf(x)?.status !== 401) return;
      // If no unit may be spent, the list shows whether there is an attempt.
      if (t.isSparing) return judgeUnlisted(t, 'SHR-AUT-013', { refused: x, pnr: booking.pnr });
      await t.send(subscribe(booking));
    },
  }),
]);

/** A key that was given as one to be refused, on each web check-in operation except the list. */
function deadOnRecords(name: 'revoked' | 'disabled', rule: string) {
  return table({
    id: `wci.auth.${name}`,
    title: `a ${name} key gets 401 on status, update and subscribe`,
    verifies: [rule],
    needs: [`${name}-key`, 'writes'],
    rows: namedOperations(rule),
    run: (t, rows) =>
      t.each(rows, async ({ operation }) => {
        const key = withKey(t.specialKey(name));
        await untilRefused(t, recordCall(t, operation, { key }));
      }),
  });
}

function deadOnFlights(name: 'revoked' | 'disabled', rule: string) {
  return fixed({
    id: `fla.auth.${name}`,
    title: `a ${name} key gets 401 on a flight subscribe`,
    verifies: [rule],
    needs: [`${name}-key`, 'writes'],
    run: async (t) => {
      await untilRefused(t, flightCall(t, { key: withKey(t.specialKey(name)) }));
    },
  });
}
