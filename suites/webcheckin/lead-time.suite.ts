import {
  type CheckContext,
  type DateTimeForm,
  type Exchange,
  type Itinerary,
  type JsonObject,
  fixed,
  holds,
  hourMs,
  isAccepted,
  lacksSomething,
  listedForm,
  memberOf,
  minuteMs,
  objectOf,
  objectsAt,
  reasonVariant,
  rejectedJourney,
  responseOf,
  sparing,
  subscribe,
  suite,
  table,
  textAt,
  unclear,
  withoutPassports,
} from '../checks.ts';
import { readStatus } from '../support/checkin.ts';
import {
  askWhichClock,
  bookingAhead,
  isUnambiguous,
  leadTimeMs,
  marginMs,
  originOffset,
  sureMarginMs,
  tooNearMs,
} from '../support/departures.ts';
import { findRecord, isListed } from '../support/listing.ts';
import { observeNothingLeft } from '../support/rejections.ts';
import { subscribeWithWebhook } from '../support/webhooks.ts';
import {
  hasDaylightSaving,
  isRuledOut,
  summerItineraries,
  westernItineraries,
} from '../support/zonedItineraries.ts';
import { judgeIncomplete, leadEastOfUtc, withoutPnrFirst } from '../support/leadTimes.ts';

interface NearRow {
  readonly rule: string;
  readonly name: string;
  readonly leadMs: number | ((t: CheckContext, itinerary: Itinerary) => number);
  readonly form: Partial<DateTimeForm>;
  readonly change?: (body: JsonObject) => JsonObject;
}

const nearRows: readonly NearRow[] = [
  {
    rule: 'WCI-JRN-001',
    name: 'just below six hours ahead',
    leadMs: (t) => leadTimeMs - (t.isClockSure() ? sureMarginMs : marginMs),
    form: {},
  },
  {
    rule: 'WCI-JRN-001',
    name: 'without pnr',
    leadMs: 3 * hourMs,
    form: {},
    change: (body) => ({ ...body, pnr: null }),
  },
  {
    rule: 'WCI-JRN-001',
    name: 'without passports',
    leadMs: 3 * hourMs,
    form: {},
    change: withoutPassports,
  },
  { rule: 'WCI-DT-012', name: 'with a suffix -12:00', leadMs: 3 * hourMs, form: { suffix: '-12:00' } },
  { rule: 'WCI-DT-012', name: 'with a suffix -0900', leadMs: 3 * hourMs, form: { suffix: '-0900' } },
  { rule: 'WCI-DT-013', name: 'with a suffix Z', leadMs: 3 * hourMs, form: { suffix: 'Z' } },
  {
    rule: 'WCI-JRN-003',
    name: 'far enough only where the clock is read as UTC',
    leadMs: leadEastOfUtc,
    form: {},
  },
];

const farAheadMs = 12 * 24 * hourMs;

const statuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'];

export default suite('Lead time', [
  table({
    id: 'wci.journey.too-close',
    title: 'a departure within six hours is rejected with a reason, and leaves no attempt',
    verifies: [
      ...['WCI-JRN-001', 'WCI-JRN-003', 'WCI-JRN-013', 'WCI-JRN-014', 'WCI-DT-012', 'WCI-DT-013'],
      ...['WCI-OPN-016', 'WCI-OPN-025', 'WCI-OPN-041'],
    ],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    tags: ['smoke'],
    rows: nearRows,
    run: async (t, rows) => {
      const itinerary = await t.fixtures.itinerary('international');
      const body = bookingAhead(t, itinerary, tooNearMs);
      const exchange = await t.send(subscribe(body));
      t.assume(rejectedJourney(exchange).status === 'holds', 'it was not rejected as a journey');
      t.observe('WCI-OPN-016', responseOf(exchange)?.status === 422 ? 'status-422' : 'status-200', exchange);
      if (responseOf(exchange)?.status === 422) t.observe('WCI-OPN-041', reasonVariant(exchange), exchange);
      await observeNothingLeft(t, exchange, body.pnr);
      await t.each(rows, async (row) => {
        const leadMs = typeof row.leadMs === 'number' ? row.leadMs : row.leadMs(t, itinerary);
        t.assume(isUnambiguous(t, itinerary, leadMs), 'the clock of the origin is just being changed');
        const change = row.change ?? ((booking: JsonObject) => booking);
        const near = await t.send(subscribe(change(bookingAhead(t, itinerary, leadMs, row.form))));
        // Without the suffix it tells whether that is why.
        if (row.rule.startsWith('WCI-DT-') && isAccepted(near))
          await t.send(subscribe(bookingAhead(t, itinerary, leadMs)));
      });
    },
  }),

  sparing({
    id: 'wci.journey.far-enough',
    title: 'a departure more than six hours ahead is accepted, whatever offset follows it',
    verifies: [
      ...['WCI-JRN-002', 'WCI-DT-011', 'WCI-DT-014', 'WCI-SUB-012', 'WCI-SUB-061'],
      ...['WCI-OPN-010', 'WCI-OPN-028', 'WCI-OPN-035'],
    ],
    uses: ['complete-record'],
    run: async (t) => {
      const itinerary = await t.fixtures.itinerary('international');
      const leadMs = leadTimeMs + marginMs;
      t.assume(isUnambiguous(t, itinerary, leadMs), 'the clock of the origin is just being changed');
      await askWhichClock(t, itinerary);
      // Converted, this departure would lie in the past.
      const body = bookingAhead(t, itinerary, leadMs, { suffix: '+14:00' });
      // Near enough that a deployment's own automation may begin, which a webhook tells of.
      const { exchange } = await subscribeWithWebhook(t, body);
      if (!isAccepted(exchange)) {
        await t.send(subscribe(bookingAhead(t, itinerary, leadMs)));
        await t.send(subscribe(bookingAhead(t, itinerary, farAheadMs, { suffix: '+14:00' })));
        t.skip('it was refused');
      }
      if (!t.isSparing) await judgeIncomplete(t, itinerary, leadMs);
      const shown = memberOf(exchange, 'status');
      if (shown === 'SCHEDULED') t.observe('WCI-OPN-035', 'scheduled-first', exchange);
      if (shown === 'IN_PROGRESS') t.observe('WCI-OPN-035', 'in-progress-at-once', exchange);
      await observeListed(t, textOf(memberOf(exchange, 'checkin_id')), body);
      const read = await readStatus(t, textOf(memberOf(exchange, 'checkin_id')));
      const status = memberOf(read, 'status');
      t.judge(read, {
        'WCI-SUB-061': statuses.includes(textOf(status))
          ? holds
          : unclear(`status is ${JSON.stringify(status)}`),
      });
    },
  }),

  fixed({
    id: 'wci.journey.west-of-utc',
    title: 'west of UTC a departure is far enough by the clock of its airport, also with a Z behind it',
    verifies: ['WCI-JRN-003', 'WCI-DT-013', 'WCI-SUB-044', 'WCI-RDY-014'],
    uses: ['complete-record'],
    run: async (t) => {
      const refusals: Exchange[] = [];
      for (const itinerary of await westernItineraries(t)) {
        if (isRuledOut(itinerary, refusals)) continue;
        if (refusals.length > 0 && !t.fixtures.mayTryAnother()) break;
        const leadMs = leadTimeMs - marginMs - originOffset(t, itinerary, leadTimeMs);
        // Read as UTC, this departure would be too close or past.
        const body = bookingAhead(t, itinerary, leadMs, { suffix: 'Z' });
        const { exchange, isKnown } = await withoutPnrFirst(t, body);
        if (isAccepted(exchange)) {
          if (isKnown) t.skip('its booking without pnr counts as one of an earlier run');
          return;
        }
        const far = await t.send(subscribe(bookingAhead(t, itinerary, farAheadMs)));
        if (!isAccepted(far)) {
          refusals.push(far);
          continue;
        }
        // Without the Z it tells whether that is why.
        await t.send(subscribe(bookingAhead(t, itinerary, leadMs)));
        return;
      }
      t.skip('no booking from an airport west of UTC was accepted');
    },
  }),

  fixed({
    id: 'wci.journey.daylight-saving',
    title: 'the lead time honours daylight saving, and a later leg abroad needs passports',
    verifies: ['WCI-DT-030', 'WCI-RDY-001'],
    uses: ['complete-record'],
    run: async (t) => {
      // By standard time it would be more than six hours ahead.
      const leadMs = 5 * hourMs + 30 * minuteMs;
      const refusals: Exchange[] = [];
      for (const itinerary of await summerItineraries(t, leadMs)) {
        if (isRuledOut(itinerary, refusals)) continue;
        // Far ahead, to know that it is supported: without passports, which the second leg makes necessary.
        const far = await t.send(subscribe(withoutPassports(bookingAhead(t, itinerary, farAheadMs))));
        if (!isAccepted(far)) {
          refusals.push(far);
          continue;
        }
        const near = await t.send(subscribe(bookingAhead(t, itinerary, leadMs)));
        t.judge(far, { 'WCI-RDY-001': lacksSomething(objectOf(far)) });
        if (isAccepted(near)) await sendSteady(t, leadMs);
        return;
      }
      t.skip('no booking from an airport that has daylight saving now was accepted');
    },
  }),

  sparing({
    id: 'wci.journey.half-hour-zone',
    title: 'the lead time is right where clocks differ from UTC by half hours',
    verifies: ['WCI-JRN-003', 'WCI-JRN-002'],
    uses: ['domestic-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const itinerary = await t.fixtures.itinerary('domestic');
      const leadMs = leadTimeMs - marginMs;
      const isHalf = originOffset(t, itinerary, leadMs) % hourMs !== 0;
      if (!isHalf) return t.skip('the origin of the domestic itinerary differs from UTC by whole hours');
      t.assume(isUnambiguous(t, itinerary, leadMs), 'the clock of the origin is just being changed');
      // Half an hour less of an offset, and it would be far enough.
      const near = await t.send(subscribe(bookingAhead(t, itinerary, leadMs)));
      if (isAccepted(near)) await sendSteady(t, leadMs);
      if (t.isSparing) return;
      // Half an hour more of one, and this would be too near.
      const farMs = leadTimeMs + marginMs;
      const far = await t.send(subscribe(bookingAhead(t, itinerary, farMs)));
      if (!isAccepted(far)) await sendSteady(t, farMs);
    },
  }),
]);

/** The same lead where clocks differ from UTC by whole hours all the year: whether it is accepted there tells why it is elsewhere. */
async function sendSteady(t: CheckContext, leadMs: number): Promise<void> {
  const steady = await t.fixtures.itinerary('international');
  if (!hasDaylightSaving(t, steady, leadMs)) await t.send(subscribe(bookingAhead(t, steady, leadMs)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

async function observeListed(t: CheckContext, checkinId: string, body: JsonObject): Promise<void> {
  const { page, item } = await findRecord(t, checkinId, { until: isListed });
  t.assume(item !== null, `the list does not show ${checkinId}`);
  if (!item) return;
  const sent = textAt(objectsAt(body, 'flights')[0] ?? {}, 'departure_datetime');
  const names = ['departure_datetime', 'departure_date'].filter((name) => item[name] !== undefined);
  if (names.length === 2) t.observe('WCI-OPN-010', 'both', page);
  else if (names[0]) t.observe('WCI-OPN-010', names[0].replace('_', '-'), page);
  const form = listedForm(item, sent);
  if (form !== null) t.observe('WCI-OPN-028', form, page);
}
