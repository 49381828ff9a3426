import {
  type CheckContext,
  type Exchange,
  accepted,
  all,
  bareObjectOf,
  dayMs,
  differs,
  equalMembers,
  fixed,
  hasMember,
  holds,
  is,
  isAccepted,
  isOfBook,
  lacksSomething,
  memberOf,
  notApplicable,
  numberDue,
  objectOf,
  objectsAt,
  recordOf,
  subscribe,
  suite,
  without,
  withoutPassports,
} from '../checks.ts';
import { readStatus, twoLegRecord } from '../support/checkin.ts';
import { bookingAhead } from '../support/departures.ts';
import { newEnterprise } from '../support/enterprises.ts';
import { sameKey } from '../support/keys.ts';
import { findListed, findRecord, isListed } from '../support/listing.ts';
import { repeatedAfterUpdate, repeatedIn, repeatedTwoLegs } from '../support/repeatedBookings.ts';
import { isSameAttempt, poorerThan, stillAsComplete } from '../support/sameBooking.ts';
import { judgeRefusedEverywhere, sendNullAndCharset } from '../support/acceptedBookings.ts';

export default suite('POST /extPartner/api/webcheckin/subscribe', [
  fixed({
    id: 'wci.subscribe.complete',
    title: 'a complete booking is accepted, scheduled and complete',
    verifies: [
      ...['WCI-SUB-001', 'WCI-SUB-003', 'WCI-SUB-004', 'WCI-SUB-005', 'WCI-SUB-059', 'WCI-SUB-060'],
      ...['WCI-DT-001'],
    ],
    uses: ['fresh-record'],
    tags: ['smoke'],
    needs: ['writes'],
    run: async (t) => {
      const record = await t.fixtures.freshRecord().catch(() => null);
      if (!record) return judgeRefusedEverywhere(t);
      await sendNullAndCharset(t, record.body, sameKey(t, record.subscribed));
    },
  }),

  fixed({
    id: 'wci.subscribe.incomplete',
    title: 'an international booking without passports is scheduled as incomplete',
    verifies: [
      ...['WCI-SUB-012', 'WCI-SUB-013', 'WCI-SUB-014', 'WCI-SUB-015', 'WCI-SUB-016'],
      ...['WCI-RDY-001', 'WCI-OPN-004'],
    ],
    uses: ['incomplete-record'],
    tags: ['smoke'],
    run: async (t) => {
      const record = await t.fixtures.incompleteRecord().catch(() => null);
      const exchange =
        record?.subscribed ?? (await t.send(subscribe(withoutPassports(await t.fixtures.booking()))));
      // A record of the run was made before, so that nobody is told at once what its answer breaks.
      t.judge(exchange, {
        'WCI-SUB-012': all(accepted(exchange), hasMember(objectOf(exchange), 'status', 'SCHEDULED')),
      });
      observeMissing(t, exchange);
      const missing = bareObjectOf(exchange)?.missing_info;
      const isList = Array.isArray(missing);
      t.judge(exchange, {
        'WCI-SUB-014': isList
          ? lacksSomething(objectOf(exchange))
          : differs('missing-info', 'missing_info', is.type('array'), is.value(missing)),
      });
      // What an earlier run sent is not known to the letter.
      if (record === null || isOfBook(exchange)) return;
      await t.send(subscribe(record.body, { key: sameKey(t, exchange) }));
    },
  }),

  fixed({
    id: 'wci.subscribe.reuse',
    title: 'the same booking again is ALREADY_SUBSCRIBED and changes nothing',
    verifies: [
      ...['WCI-SUB-001', 'WCI-SUB-002', 'WCI-SUB-015', 'WCI-SUB-016', 'WCI-SUB-017', 'WCI-SUB-018'],
      ...['WCI-SUB-019', 'WCI-SUB-072', 'WCI-JRN-020', 'WCI-OPN-015'],
    ],
    uses: ['complete-record'],
    tags: ['smoke'],
    run: async (t) => {
      const itinerary = await t.fixtures.itinerary('international');
      const far = bookingAhead(t, itinerary, 40 * dayMs);
      const farthest = await t.send(subscribe(far));
      const body = isAccepted(farthest) ? far : await t.fixtures.booking();
      const first = isAccepted(farthest) ? farthest : await t.send(subscribe(body));
      const record = recordOf(body, first);
      const key = sameKey(t, first);
      await readStatus(t, record.checkinId, key);
      await t.send(subscribe(body, { key }));
      await readStatus(t, record.checkinId, key);
      const poorer = await t.send(subscribe({ ...body, passengers: poorerThan(body) }, { key }));
      const after = await readStatus(t, record.checkinId, key);
      if (isSameAttempt(poorer, record))
        t.judge([first, poorer, after], { 'WCI-SUB-018': stillAsComplete(after, first) });
      await findRecord(t, record, { key, until: isListed });
      if (isSameAttempt(poorer, record) || !isAccepted(poorer)) return;
      t.observe('WCI-OPN-015', 'pnr-flights-and-passengers', poorer);
      t.judge([first, poorer], { 'WCI-SUB-018': notApplicable });
    },
  }),

  fixed({
    id: 'wci.subscribe.reuse-under-way',
    title: 'the same booking again leaves an attempt that was updated, is under way or has ended as it is',
    verifies: ['WCI-SUB-015', 'WCI-SUB-016', 'WCI-SUB-017', 'WCI-STS-007', 'WCI-OPN-061'],
    uses: ['complete-record', 'two-leg-record'],
    needs: ['state:checkin.progress', 'state:enterprise.create'],
    run: async (t) => {
      const [key] = await newEnterprise(t, 12);
      if (!key) return t.skip('the state handler gave no key');
      const ended = new Set<string>();
      for (const status of ['IN_PROGRESS', 'FAILED', 'COMPLETED']) {
        const fate = await repeatedIn(t, status, key);
        if (fate !== null) ended.add(fate);
      }
      await repeatedAfterUpdate(t, key);
      await repeatedTwoLegs(t, key);
      const [only] = ended;
      if (only !== undefined) t.observe('WCI-OPN-061', ended.size > 1 ? 'by-status' : only);
    },
  }),

  fixed({
    id: 'wci.subscribe.second-key',
    title: 'another key of the enterprise finds the booking subscribed',
    verifies: ['WCI-SUB-020'],
    uses: ['complete-record'],
    needs: ['second-key', 'writes', 'quota'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const key = t.keys.primary.find(({ label }) => label !== record.subscribed.key);
      if (!key) return t.skip('there is no second key');
      const again = await t.send(subscribe(record.body, { key: { kind: 'key', key } }));
      // What an earlier run was answered is only known here.
      if (isOfBook(record.subscribed))
        t.judge([record.subscribed, again], {
          'WCI-SUB-020': all(
            hasMember(objectOf(again), 'message', 'ALREADY_SUBSCRIBED'),
            equalMembers(again, record.subscribed, ['checkin_id']),
          ),
        });
    },
  }),

  fixed({
    id: 'wci.subscribe.race',
    title: 'simultaneous identical subscribes create one attempt',
    verifies: ['WCI-SUB-021'],
    uses: ['complete-record'],
    run: async (t) => {
      const body = await t.fixtures.booking();
      const key = sameKey(t, (await t.fixtures.completeRecord()).subscribed);
      const racers = await Promise.all(Array.from({ length: 4 }, () => t.send(subscribe(body, { key }))));
      const winners = racers.filter(isAccepted);
      t.assume(winners.length > 0, 'none of the simultaneous subscribes was accepted');
      const created = new Set(winners.map((racer) => memberOf(racer, 'checkin_id')));
      t.judge(racers, {
        'WCI-SUB-021':
          created.size === 1
            ? holds
            : differs(
                'attempts',
                'checkin_id',
                is.number(1, 'attempts', 'for one booking'),
                is.value([...created]),
              ),
      });
      const { page, listing } = await findListed(t, (item) => created.has(item.checkin_id));
      const listed = listing.items.filter((item) => item.pnr === body.pnr);
      t.judge([...racers, page], {
        'WCI-SUB-021':
          listed.length === 0 ? holds : numberDue('attempts', 'items', 1, listed.length, 'for the booking'),
      });
    },
  }),

  fixed({
    id: 'wci.subscribe.two-without-pnr',
    title: 'two bookings without pnr, for other passengers on other days, are two',
    verifies: ['WCI-SUB-002'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const itinerary = await t.fixtures.itinerary('international');
      const sendFor = (name: string, days: number) => {
        const body = without(bookingAhead(t, itinerary, days * dayMs), 'pnr');
        const passengers = objectsAt(body, 'passengers').map((one) => ({ ...one, first_name: name }));
        return t.send(subscribe({ ...body, passengers }));
      };
      await sendFor('Testone', 12);
      await sendFor('Testother', 15);
    },
  }),

  fixed({
    id: 'wci.subscribe.two-legs-same-booking',
    title: 'what makes two subscribes the same booking',
    verifies: ['WCI-OPN-015'],
    uses: ['two-leg-record'],
    run: async (t) => {
      const record = await twoLegRecord(t);
      const flights = objectsAt(record.body, 'flights');
      const onlyFirst = await t.send(subscribe({ ...record.body, flights: flights.slice(0, 1) }));
      if (!isAccepted(onlyFirst)) return;
      if (!isSameAttempt(onlyFirst, record)) {
        if (t.dialect.variant('WCI-OPN-015') === null) t.observe('WCI-OPN-015', 'pnr-and-flights', onlyFirst);
        return;
      }
      const onlySecond = await t.send(subscribe({ ...record.body, flights: flights.slice(1) }));
      if (!isAccepted(onlySecond)) return;
      t.observe(
        'WCI-OPN-015',
        isSameAttempt(onlySecond, record) ? 'pnr-only' : 'pnr-and-first-flight',
        onlySecond,
      );
    },
  }),
]);

function observeMissing(t: CheckContext, exchange: Exchange): void {
  const missing = memberOf(exchange, 'missing_info');
  if (!Array.isArray(missing) || missing.length === 0) return;
  const kinds = new Set(missing.map((item) => (typeof item === 'string' ? 'string' : 'object')));
  t.observe('WCI-OPN-004', kinds.size > 1 ? 'mixed' : ([...kinds][0] ?? 'mixed'), exchange);
}
