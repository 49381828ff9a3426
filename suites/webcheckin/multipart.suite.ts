import {
  type CheckContext,
  type KeyChoice,
  type OwnRecord,
  type Part,
  fc,
  fixed,
  generate,
  holds,
  isAccepted,
  lacksNothing,
  memberOf,
  noKey,
  objectOf,
  property,
  rawRequest,
  recordOf,
  responseOf,
  subscribe,
  suite,
  table,
  without,
} from '../checks.ts';
import { bookingOfItsOwn } from '../support/departures.ts';
import { judgeUpdated, sendUpdate, withFreshPnr } from '../support/checkin.ts';
import { recordCall } from '../support/calls.ts';
import { sameKey, unknownKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { type PnrForm, bookingParts, multipart, sendInSomeForm } from '../support/multipart.ts';
import { brokenParts, jsonTexts, textParts, unparsableBodies } from '../support/brokenParts.ts';
import { judgeOther, reserved, sendApart, withScans } from '../support/scannedBookings.ts';

export default suite('Multipart encoding: subscribe', [
  fixed({
    id: 'wci.multipart.subscribe-again',
    title: 'the same booking as multipart is read from its parts and is the same booking',
    verifies: [
      ...['WCI-MP-001', 'WCI-MP-002', 'WCI-MP-003', 'WCI-MP-018', 'WCI-MP-080'],
      ...['WCI-OPN-005', 'WCI-OPN-048'],
    ],
    uses: ['complete-record'],
    tags: ['smoke'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const { body, checkinId, pnr } = record;
      const key = sameKey(t, record.subscribed);
      const send = (parts: readonly Part[]) => t.send(multipart(t, 'wci.subscribe', parts, { key }));
      const { exchange: plain, form } = await sendInSomeForm((one) =>
        send(bookingParts(body, 'text/plain', one)),
      );
      if (memberOf(plain, 'checkin_id') === checkinId) t.observe('WCI-OPN-005', form, plain);
      else if (isAccepted(plain)) await judgeOther(t, plain, pnr);
      await sendUntyped(t, bookingParts(body, null, form), key);
      const callbackData = {
        callbackUrl: 'https://example.com/gatecheck/hook',
        auth_header: `X-API-Key: ${t.identities.authValue()}`,
        clientId: 'gatecheck',
        clientName: 'Gatecheck',
      };
      const good = await send(bookingParts({ ...body, callbackData }, 'text/plain', form));
      // What is refused as JSON as well is refused for something else.
      if (!isAccepted(good)) await t.send(subscribe({ ...body, callbackData }, { key }));
      const json = await send([
        ...bookingParts(without(body, 'passengers', 'flights'), 'text/plain', form),
        generate.jsonPart('flights', body.flights, 'application/json'),
        generate.jsonPart('passengers', body.passengers, 'application/json'),
      ]);
      if ([200, 400, 422].includes(responseOf(json)?.status ?? 0))
        t.observe('WCI-OPN-048', isAccepted(json) ? 'read' : 'not-read', json);
    },
  }),

  fixed({
    id: 'wci.multipart.without-pnr',
    title: 'a multipart subscribe without pnr is accepted, as one of JSON is',
    verifies: ['WCI-SUB-044'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const body = await bookingOfItsOwn(t);
      const send = (form: PnrForm) =>
        t.send(multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', form)));
      const bare = await send('not-read');
      // The same booking with its pnr tells whether it is refused for want of it.
      if (!isAccepted(bare)) await send('text-parts');
    },
  }),

  property({
    id: 'wci.multipart.subscribe-files',
    title: 'a multipart subscribe takes several scans, each bound by its file_field',
    verifies: [
      ...['WCI-MP-001', 'WCI-MP-002', 'WCI-MP-006', 'WCI-MP-007', 'WCI-MP-008', 'WCI-MP-009'],
      'WCI-MP-010',
    ],
    uses: ['complete-record'],
    run: async (t) => {
      const body = await bookingOfItsOwn(t);
      const names = ['passport-scan.1', 'f_9', 'x'];
      const { exchange, form } = await sendInSomeForm((one) =>
        t.send(withScans(t, body, names, 'scan.png', one)),
      );
      if (!isAccepted(exchange)) {
        await sendApart(t, body, form);
        return;
      }
      const record = recordOf(body, exchange);
      await findRecord(t, record, { until: isListed });
      await judgeWhole(t, record);
      // Names that objects of some languages have already. In what charset a name is written, and whether brackets make
      // it an element of a list, is not said.
      await t.send(withScans(t, body, ['constructor', '__proto__', 'toString'], 'scan.png', form));
      const anyName = fc.record(
        {
          parts: fc.uniqueArray(fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,11}$/), {
            minLength: 3,
            maxLength: 3,
          }),
          fileName: fc.constantFrom(...generate.fileNames),
        },
        { noNullPrototype: true },
      );
      await t.forAll('scans under any part name', anyName, async ({ parts, fileName }) => {
        t.assume(!parts.some((name) => reserved.has(name)), 'a name of the form itself');
        await t.send(withScans(t, body, parts, fileName, form));
      });
    },
  }),

  table({
    id: 'wci.multipart.subscribe-refused',
    title: 'a multipart subscribe keeps to the rules of JSON ones, and to its key',
    verifies: ['WCI-MP-003', 'WCI-MP-004', 'WCI-MP-005', 'WCI-MP-016', 'WCI-MP-017'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: { broken: brokenParts, unparsable: unparsableBodies },
    run: async (t, rows) => {
      const body = await t.fixtures.booking();
      await t.each(rows.broken, async ({ texts }) => {
        const parts = textParts({ ...jsonTexts(body), ...texts(body) });
        const pnr = generate.textPart('pnr', t.identities.pnr());
        await t.send(multipart(t, 'wci.subscribe', [pnr, ...parts]));
      });
      await t.each(rows.unparsable, async ({ change }) => {
        const whole = generate.encodeMultipart(bookingParts(withFreshPnr(t, body)), t.identities.token());
        const { bytes, contentType } = change(whole);
        await t.send(rawRequest('wci.subscribe', bytes, contentType));
      });
      await t.send(multipart(t, 'wci.subscribe', bookingParts(withFreshPnr(t, body)), { key: noKey }));
      for (const call of [
        recordCall(t, 'multipart update', { key: noKey }),
        recordCall(t, 'multipart update', { key: unknownKey(t) }),
        recordCall(t, 'multipart subscribe', { key: unknownKey(t) }),
      ])
        await t.send(call);
    },
  }),
]);

/** Parts without a type, which means text/plain, and a boundary in quotes, as the media type allows: one request shows both. */
async function sendUntyped(t: CheckContext, parts: readonly Part[], key: KeyChoice): Promise<void> {
  const { bytes, boundary, contentType } = generate.encodeMultipart(parts, t.identities.token());
  const inQuotes = contentType.replace(boundary, `"${boundary}"`);
  const quoted = await t.send(rawRequest('wci.subscribe', bytes, inQuotes, { key }));
  if (!isAccepted(quoted)) await t.send(multipart(t, 'wci.subscribe', parts, { key }));
}

/** Nothing of the passengers is missing; where the pnr is not read from a part, it is given afterwards. */
async function judgeWhole(t: CheckContext, record: OwnRecord): Promise<void> {
  const { subscribed, checkinId } = record;
  if (lacksNothing(objectOf(subscribed)).status === 'holds') {
    t.judge(subscribed, { 'WCI-MP-010': holds });
    return;
  }
  const update = { checkin_id: checkinId, type: 'pnr', payload: { pnr: t.identities.pnr() } };
  const given = await sendUpdate(t, record, update);
  t.assume(isAccepted(given), `${given.id}: the pnr could not be given`);
  const key = sameKey(t, subscribed);
  const { evidence, judgement } = await judgeUpdated(t, given, lacksNothing, key);
  t.judge([subscribed, ...evidence], { 'WCI-MP-010': judgement });
}
