import {
  type JsonObject,
  fixed,
  isAccepted,
  lacksSomething,
  objectsAt,
  responseOf,
  sparing,
  subscribe,
  suite,
  textAt,
  answeredOtherThan,
} from '../checks.ts';
import { inFlights, judgeUpdated, ownRecord, sendUpdate, withFreshPnr } from '../support/checkin.ts';
import { findRecord, isListed } from '../support/listing.ts';

export default suite('Open points of web check-in', [
  fixed({
    id: 'wci.open.which-refusal',
    title: 'which of 400 and 422 refuses calendar, timezone, itinerary, airport-code and callback faults',
    verifies: ['WCI-OPN-017'],
    uses: ['complete-record', 'two-leg-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const body = await t.fixtures.booking();
      const two = await t.fixtures.itineraryRecord('twoLeg').catch(() => null);
      const legs = objectsAt(two?.body ?? {}, 'flights');
      const faults: readonly JsonObject[] = [
        inFlights(body, (flight) => ({
          ...flight,
          departure_datetime: impossibleDay(flight),
          arrival_datetime: null,
        })),
        inFlights(body, (flight) => ({ ...flight, origin: 'QQQ' })),
        inFlights(body, (flight) => ({ ...flight, destination: 'L1R' })),
        { ...body, callbackData: { callbackUrl: 'https://example.com/gatecheck', auth_header: 'no colon' } },
        legs.length > 1 ? { ...body, flights: legs.toReversed() } : inFlights(body, toItself),
      ];
      const seen = new Set<number>();
      for (const fault of faults) {
        const exchange = await t.send(subscribe(withFreshPnr(t, fault)));
        const status = isAccepted(exchange) ? 0 : (responseOf(exchange)?.status ?? 0);
        if (status === 400 || status === 422) seen.add(status);
      }
      if (seen.size === 2) t.observe('WCI-OPN-017', 'by-kind');
      else if (seen.size === 1) t.observe('WCI-OPN-017', seen.has(400) ? 'refused-400' : 'refused-422');
    },
  }),

  fixed({
    id: 'wci.open.records',
    title: 'how a record that waits is shown',
    verifies: ['WCI-OPN-034', 'WCI-OPN-043', 'WCI-OPN-054'],
    uses: ['complete-record', 'incomplete-record', 'two-leg-record'],
    run: async (t) => {
      const complete = await findRecord(t, await t.fixtures.completeRecord(), { until: isListed });
      const incomplete = await findRecord(t, await t.fixtures.incompleteRecord(), { until: isListed });
      const passes = complete.item?.boarding_passes;
      const shown = passes === undefined ? 'absent' : passes === null ? 'null-value' : 'empty-array';
      if (complete.item && (shown !== 'empty-array' || Array.isArray(passes)))
        t.observe('WCI-OPN-034', shown, complete.page);
      const times = [complete.item?.scheduled_time, incomplete.item?.scheduled_time];
      if (complete.item && incomplete.item) {
        const isSet = times.map((time) => typeof time === 'string');
        if (isSet[0] && isSet[1]) t.observe('WCI-OPN-043', 'never', complete.page);
        if (isSet[0] && !isSet[1]) t.observe('WCI-OPN-043', 'set-when-complete', incomplete.page);
        if (!isSet[0] && !isSet[1]) t.observe('WCI-OPN-043', 'null-until-window', complete.page);
      }
      const two = await t.fixtures.itineraryRecord('twoLeg').catch(() => null);
      if (!two) return;
      const { item, page } = await findRecord(t, two, { until: isListed });
      const [first = {}, last = {}] = objectsAt(two.body, 'flights');
      if (!item) return;
      if (item.origin !== textAt(first, 'origin')) {
        t.observe('WCI-OPN-054', 'other', page);
        return;
      }
      if (item.destination === textAt(last, 'destination')) t.observe('WCI-OPN-054', 'whole-journey', page);
      else
        t.observe(
          'WCI-OPN-054',
          item.destination === textAt(first, 'destination') ? 'first-leg' : 'other',
          page,
        );
    },
  }),

  sparing({
    id: 'wci.open.pnr',
    title: 'what makes a pnr invalid',
    verifies: ['WCI-OPN-045', 'WCI-UPD-055'],
    uses: ['complete-record', 'scratch-record'],
    exclusive: 'sparing',
    tags: ['observation'],
    run: async (t) => {
      const record = await ownRecord(t);
      const { checkinId: checkin_id, body } = record;
      const rename = (pnr: string) => sendUpdate(t, record, { checkin_id, type: 'pnr', payload: { pnr } });
      const whole = await sendUpdate(t, record, { checkin_id, passengers: objectsAt(body, 'passengers') });
      t.assume(isAccepted(whole), 'its passengers cannot be updated');
      const short = await rename(t.identities.pnr().slice(0, 4));
      const { evidence, judgement } = await judgeUpdated(t, short, lacksSomething);
      // The next check that takes the record needs a pnr of which nothing is missed.
      const usual = await rename(t.identities.pnr());
      if (isAccepted(usual)) t.judge([short, usual], { 'WCI-UPD-055': answeredOtherThan(short, 400) });
      if (!isAccepted(short) || judgement.status === 'unclear') return;
      const variant = judgement.status === 'holds' ? 'not-six-alphanumerics' : 'empty-only';
      t.observe('WCI-OPN-045', variant, evidence.at(-1));
    },
  }),
]);

function impossibleDay(flight: JsonObject): string {
  return `${String(Number(textAt(flight, 'departure_datetime').slice(0, 4)) + 1)}-02-30T10:30:00`;
}

function toItself(flight: JsonObject): JsonObject {
  return { ...flight, destination: flight.origin ?? null };
}
