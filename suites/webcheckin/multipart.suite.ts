import {
  type CheckContext,
  type Exchange,
  type Judgement,
  type KeyChoice,
  type OwnRecord,
  type Part,
  accepted,
  all,
  answered,
  answeredOtherThan,
  describeResponse,
  fc,
  fixed,
  generate,
  hasMember,
  holds,
  invalid,
  isAccepted,
  lacksNothing,
  memberOf,
  noKey,
  notAccepted,
  objectOf,
  objectsAt,
  property,
  rawRequest,
  recordOf,
  responseOf,
  subscribe,
  suite,
  table,
  textAt,
  unauthorized,
  without,
  answeredOtherwise,
  is,
} from '../checks.ts';
import { bookingOfItsOwn } from '../support/departures.ts';
import { judgeUpdated, sendUpdate, withFreshPnr } from '../support/checkin.ts';
import { keyRefused, recordCall } from '../support/calls.ts';
import { sameKey, unknownKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { type PnrForm, bookingParts, multipart, sendInSomeForm } from '../support/multipart.ts';
import { brokenParts, jsonTexts, textParts, unparsableBodies } from '../support/brokenParts.ts';
import { judgeApart, judgeOther, reserved, withScans } from '../support/scannedBookings.ts';

const parserFailure = { status: 500, code: 'INTERNAL_ERROR' };

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
      t.judge(plain, { 'WCI-MP-001': accepted(plain), 'WCI-MP-002': accepted(plain) });
      if (memberOf(plain, 'checkin_id') !== checkinId) await judgeOther(t, plain, pnr);
      else {
        t.observe('WCI-OPN-005', form, plain);
        t.judge(plain, { 'WCI-MP-018': holds });
      }
      await judgeUntyped(t, bookingParts(body, null, form), key);
      const callbackData = {
        callbackUrl: 'https://example.com/gatecheck/hook',
        auth_header: `X-API-Key: ${t.identities.authValue()}`,
        clientId: 'gatecheck',
        clientName: 'Gatecheck',
      };
      const good = await send(bookingParts({ ...body, callbackData }, 'text/plain', form));
      if (!isAccepted(good)) {
        const asJson = await t.send(subscribe({ ...body, callbackData }, { key }));
        t.assume(isAccepted(asJson), 'the same callbackData is not accepted as JSON either');
      }
      t.judge(good, { 'WCI-MP-003': accepted(good) });
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
      if (!isAccepted(bare)) {
        // The same booking with its pnr tells whether it is refused for want of it.
        const whole = await send('text-parts');
        t.assume(isAccepted(whole), `${whole.id}: refused with a pnr as well, ${describeResponse(whole)}`);
      }
      t.judge(bare, { 'WCI-SUB-044': accepted(bare) });
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
      if (!isAccepted(exchange)) await judgeApart(t, body, exchange);
      t.judge(exchange, {
        'WCI-MP-001': accepted(exchange),
        'WCI-MP-006': accepted(exchange),
        'WCI-MP-007': accepted(exchange),
        'WCI-MP-008': accepted(exchange),
        'WCI-MP-009': accepted(exchange),
      });
      const record = recordOf(body, exchange);
      const { page, item } = await findRecord(t, record, { until: isListed });
      const flight = objectsAt(body, 'flights')[0] ?? {};
      t.assume(item !== null, 'the list does not show the record');
      await judgeWhole(t, record);
      t.judge(page, {
        'WCI-MP-002': all(
          hasMember(item, 'origin', textAt(flight, 'origin')),
          hasMember(item, 'destination', textAt(flight, 'destination')),
        ),
      });
      // Names that objects of some languages have already. In what charset a name is written, and whether brackets make
      // it an element of a list, is not said.
      const taken = await t.send(
        withScans(t, body, ['constructor', '__proto__', 'toString'], 'scan.png', form),
      );
      t.judge(taken, { 'WCI-MP-008': accepted(taken) });
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
        const again = await t.send(withScans(t, body, parts, fileName, form));
        t.judge(again, { 'WCI-MP-008': accepted(again), 'WCI-MP-009': accepted(again) });
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
      await t.each(rows.broken, async ({ rule, name, texts }) => {
        const parts = textParts({ ...jsonTexts(body), ...texts(body) });
        const pnr = generate.textPart('pnr', t.identities.pnr());
        const exchange = await t.send(multipart(t, 'wci.subscribe', [pnr, ...parts]));
        t.judge(exchange, { [rule]: judgeBroken(exchange, rule, name) });
      });
      await t.each(rows.unparsable, async ({ rule, change }) => {
        const whole = generate.encodeMultipart(bookingParts(withFreshPnr(t, body)), t.identities.token());
        const { bytes, contentType } = change(whole);
        const exchange = await t.send(rawRequest('wci.subscribe', bytes, contentType));
        t.assume(
          answeredOtherThan(exchange).status === 'holds',
          `${describeResponse(exchange)}, not of the API`,
        );
        t.judge(exchange, { [rule]: isJsonError(exchange) });
      });
      const keyless = await t.send(
        multipart(t, 'wci.subscribe', bookingParts(withFreshPnr(t, body)), { key: noKey }),
      );
      t.judge(keyless, { 'WCI-MP-017': answered(keyless, unauthorized) });
      for (const call of [
        recordCall(t, 'multipart update', { key: noKey }),
        recordCall(t, 'multipart update', { key: unknownKey(t) }),
        recordCall(t, 'multipart subscribe', { key: unknownKey(t) }),
      ]) {
        const x = await t.send(call);
        t.judge(x, { 'WCI-MP-017': keyRefused(x) });
      }
    },
  }),
]);

/** Parts without a type, which means text/plain, and a boundary in quotes, as the media type allows: one request shows both. */
async function judgeUntyped(t: CheckContext, parts: readonly Part[], key: KeyChoice): Promise<void> {
  const { bytes, boundary, contentType } = generate.encodeMultipart(parts, t.identities.token());
  const inQuotes = contentType.replace(boundary, `"${boundary}"`);
  const quoted = await t.send(rawRequest('wci.subscribe', bytes, inQuotes, { key }));
  const untyped = isAccepted(quoted) ? quoted : await t.send(multipart(t, 'wci.subscribe', parts, { key }));
  t.judge(untyped, { 'WCI-MP-002': accepted(untyped) });
  if (isAccepted(untyped)) t.judge(quoted, { 'WCI-MP-080': accepted(quoted) });
}

function judgeBroken(exchange: Exchange, rule: string, name: string): Judgement {
  if (rule === 'WCI-MP-003') return notAccepted(exchange);
  return rule === 'WCI-MP-004' ? isRefusedText(exchange, name) : answered(exchange, invalid);
}

/** A callback that fails its validation may be refused like any other that does (Errors). */
function isRefusedText(exchange: Exchange, name: string): Judgement {
  const refused = answered(exchange, invalid, parserFailure);
  return name.startsWith('callbackData') && refused.status !== 'holds' ? notAccepted(exchange) : refused;
}

function isJsonError(exchange: Exchange): Judgement {
  const status = responseOf(exchange)?.status ?? 0;
  if (status === 200 && isAccepted(exchange)) return answeredOtherwise(exchange, is.refused);
  const judged = answered(exchange, invalid, parserFailure);
  if (judged.status !== 'holds') return judged;
  return holds;
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
