import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type OwnRecord,
  about,
  fixed,
  isAccepted,
  numberDue,
  lacksSomething,
  list,
  memberOf,
  objectOf,
  objectsAt,
  status,
  subscribe,
  suite,
  table,
  consumedUnits,
  unitsBetween,
  update,
  withoutPassports,
} from '../checks.ts';
import { withKey } from '../support/keys.ts';
import { withCallback } from '../support/callbackForms.ts';
import { inFlights } from '../support/checkin.ts';
import { bookingAhead, bookingOfItsOwn, severalOf, tooNearMs } from '../support/departures.ts';
import { bookingParts, multipart, sendInSomeForm } from '../support/multipart.ts';
import { type QuotaMeter, quotaMeter, repeatSubscribe } from '../support/quotaMeter.ts';
import { unsupportedAirline } from '../support/rejections.ts';
import { unlessUnclear } from '../support/unlessUnclear.ts';

const malformed = [{ flights: [] }, { passengers: 'none' }].map((fault) => ({ rule: 'WCI-QTA-008', fault }));

/** Subscribes that are rejected after their payload was found well-formed. */
const rejections: readonly {
  readonly rule: string;
  readonly name: string;
  readonly body: (t: CheckContext) => Promise<JsonObject>;
}[] = [
  {
    rule: 'WCI-JRN-015',
    name: 'a departure that is too near',
    body: tooNear,
  },
  {
    rule: 'WCI-JRN-015',
    name: 'an unsupported airline',
    body: async (t) => {
      const { airline } = unsupportedAirline(t, await t.fixtures.itinerary('international'));
      return inFlights(await t.fixtures.booking(), (flight) => ({ ...flight, airline }));
    },
  },
  {
    rule: 'WCI-CBR-021',
    name: 'a header of another name for the webhook',
    body: async (t) =>
      withCallback(await t.fixtures.booking(), { auth_header: `X-Gatecheck: ${t.identities.token()}` }),
  },
];

async function tooNear(t: CheckContext): Promise<JsonObject> {
  return bookingAhead(t, await t.fixtures.itinerary('international'), tooNearMs);
}

export default suite('Quota', [
  table({
    id: 'wci.quota.units',
    title: 'each new attempt takes one unit, and nothing else takes any',
    verifies: [
      ...['WCI-QTA-001', 'WCI-QTA-002', 'WCI-QTA-008', 'WCI-QTA-015', 'WCI-SUB-002'],
      ...['WCI-RDY-009', 'WCI-OPN-018', 'WCI-OPN-066'],
    ],
    uses: ['complete-record', 'two-leg-record'],
    // Other checks take units of the same enterprise.
    exclusive: true,
    rows: malformed,
    run: async (t, rows) => {
      const several = await severalOf(t);
      const meter = await quotaMeter(t, await t.fixtures.completeRecord());
      if (!meter) return t.skip('the deployment shows no quota');
      const second = await t.fixtures.subscribed(several);
      const one = await measure(meter, meter.start, second.subscribed);
      observeQuota(t, meter.start, second.subscribed, one);
      const uploaded = t.isSparing ? 0 : await uploadBooking(t);
      await sendMalformed(t, rows);
      await readAndUpdate(t, second);
      let after = await meter.look();
      if (unitsBetween(one.at, after) !== meter.cost + uploaded) {
        await takeApart(t, rows);
        after = await meter.look();
      }
      const record = await subscribeIncomplete(t);
      const { units } = await measure(meter, after, record.subscribed);
      const taking = whatTakes(units, await repeatUnits(t, meter, record));
      if (taking !== null)
        t.observe('WCI-OPN-018', taking, taking === 'every-accepted-call' ? after : record.subscribed);
    },
  }),

  table({
    id: 'wci.journey.takes-no-unit',
    title: 'a rejection of the journey or of the callbackData takes no quota unit',
    verifies: ['WCI-JRN-015', 'WCI-CBR-021'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    exclusive: true,
    rows: rejections,
    run: async (t, rows) => {
      const meter = await quotaMeter(t, await t.fixtures.completeRecord());
      if (!meter) return t.skip('a subscribe does not return the quota');
      let before = meter.start;
      await t.each(rows, async ({ rule, body }) => {
        let start = before;
        let rejection = await t.send(subscribe(await body(t)));
        // A deployment may support every airline.
        if (isAccepted(rejection)) {
          start = await meter.look();
          rejection = await t.send(subscribe(await tooNear(t)));
        }
        before = await meter.look();
        t.assume(!isAccepted(rejection), 'it was not rejected');
        const units = unitsBetween(start, before);
        t.assume(units !== null, 'a subscribe does not return the quota');
        const cost = (units ?? 0) - meter.cost;
        t.judge([start, rejection, before], {
          [rule]: numberDue('quota', 'units', 0, cost, 'for the rejection'),
        });
      });
    },
  }),

  fixed({
    id: 'wci.quota.second-key',
    title: 'the keys of one enterprise draw on the same quota',
    verifies: ['WCI-QTA-012'],
    needs: ['second-key'],
    uses: ['complete-record'],
    exclusive: true,
    run: async (t) => {
      const [one, two] = t.keys.primary;
      if (!one || !two) return;
      // Finds out which itinerary is accepted, which may take a subscribe.
      await t.fixtures.completeRecord();
      const records = [];
      for (const key of [one, two]) records.push(await t.fixtures.subscribed(undefined, withKey(key)));
      if (records.every(({ subscribed }) => consumedUnits(subscribed) === null))
        t.skip('the deployment shows no quota');
    },
  }),
]);

interface Measured {
  readonly units: number | null;
  /** The latest answer that shows them. */
  readonly at: Exchange;
}

/** The units that a subscribe took, by its own answer or, where that shows the quota before it took any, by another look. */
async function measure(meter: QuotaMeter, before: Exchange, made: Exchange): Promise<Measured> {
  const shown = unitsBetween(before, made);
  if (shown === 1 || meter.makes === 1) return { units: shown, at: made };
  const at = await meter.look();
  const units = unitsBetween(before, at);
  return { units: units === null ? null : units - meter.cost, at };
}

/** Whether the answer to a subscribe that took a unit shows it as taken. */
function observeQuota(t: CheckContext, before: Exchange, made: Exchange, { units }: Measured): void {
  const shown = unitsBetween(before, made);
  if (units !== 1 || shown === null) return;
  if (shown === 1) t.observe('WCI-OPN-066', 'after', made);
  if (shown === 0) t.observe('WCI-OPN-066', 'before', made);
}

/** The variant of WCI-OPN-018, by the units that an incomplete booking and a repeat took; null if nothing shows it. */
function whatTakes(units: number | null, repeat: number | null): string | null {
  if (repeat !== null && repeat > 0) return 'every-accepted-call';
  if (units === 0) return 'complete-creation-only';
  return units === 1 && repeat === 0 ? 'every-creation' : null;
}

/** The units that a repeated subscribe takes; where it does not show the quota itself, the next new attempt shows them. */
async function repeatUnits(t: CheckContext, meter: QuotaMeter, record: OwnRecord): Promise<number | null> {
  if (meter.makes === 0) return meter.cost;
  if (t.isSparing || !isAccepted(await repeatSubscribe(t, record))) return null;
  const units = unitsBetween(record.subscribed, await meter.look());
  return units === null ? null : units - meter.cost;
}

/** A booking that lacks something: the passport of a child who has the name of a parent, where a booking may have both. */
async function subscribeIncomplete(t: CheckContext): Promise<OwnRecord> {
  const body = await t.fixtures.booking();
  const [first = {}] = objectsAt(body, 'passengers');
  const child = { ...first, date_of_birth: '2016-03-08', passport: null };
  const both = await unlessUnclear(t.fixtures.subscribed({ ...body, passengers: [first, child] }));
  if (!both) return t.fixtures.subscribed(withoutPassports(await t.fixtures.booking()));
  const lacks = about(lacksSomething(objectOf(both.subscribed)), 'a second passenger of the same name');
  t.judge(both.subscribed, { 'WCI-RDY-009': lacks });
  return both;
}

/** A booking by multipart, which a deployment may call incomplete since it reads no pnr in it; returns the units that it takes. */
async function uploadBooking(t: CheckContext): Promise<number> {
  const body = await bookingOfItsOwn(t);
  const { exchange } = await sendInSomeForm((form) =>
    t.send(multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', form))),
  );
  return memberOf(exchange, 'message') === 'SCHEDULED' ? 1 : 0;
}

/** Something was charged besides new bookings: sends each kind between two of them. */
async function takeApart(t: CheckContext, rows: typeof malformed): Promise<void> {
  await t.fixtures.subscribed();
  await sendMalformed(t, rows);
  await readAndUpdate(t, await t.fixtures.subscribed());
  await t.fixtures.subscribed();
}

/** Subscribes that are refused as malformed. */
async function sendMalformed(t: CheckContext, rows: typeof malformed): Promise<void> {
  const body = await t.fixtures.booking();
  for (const { fault } of rows) await t.send(subscribe({ ...body, ...fault }));
}

async function readAndUpdate(t: CheckContext, { checkinId, body }: OwnRecord): Promise<void> {
  await t.send(update({ checkin_id: checkinId, passengers: body.passengers }));
  await t.send(status({ checkin_id: checkinId }));
  await t.send(list({ limit: '1' }));
}
