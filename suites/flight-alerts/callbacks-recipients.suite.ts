import {
  type CheckContext,
  type FlightLeg,
  type Judgement,
  type Route,
  all,
  describeResponse,
  fixed,
  generate,
  holds,
  isAccepted,
  noticesOf,
  suite,
  utcDate,
  is,
  type Json,
  ofAnother,
} from '../checks.ts';
import { leapYearAfter } from '../support/clocks.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { legOn, put, subscribeTo } from '../support/flights.ts';
import {
  awaitNotices,
  changeLeg,
  countOf,
  deliveriesSince,
  isSettled,
  newGate,
  silent,
  staysSilent,
  subscriber,
  tellGate,
  tellsGate,
  unlessNobodyIsTold,
  untold,
} from '../support/notices.ts';
import { nothingOf, keepsFid, keepsKey, tellsNothingNew } from '../support/recipients.ts';

const needs = ['public-sink', 'state:flights.put', 'state:flights.change'] as const;

const [firstRoute, secondRoute] = generate.journey as [Route, Route];

const wayBack: Route = ['SIN', 'DOH'];

/** Legs that share one end with the first. */
const neighbours: readonly Route[] = [
  ['DOH', 'BKK'],
  ['KWI', 'SIN'],
];

export default suite('Flight alerts: who is notified', [
  fixed({
    id: 'fla.callbacks.legs',
    title:
      'a change is notified to the subscriber of the leg, and to none of another leg, direction, end, date or flight',
    verifies: ['FLA-CB-001', 'FLA-SUB-014'],
    needs,
    run: async (t) => {
      const routes = [firstRoute, secondRoute, wayBack, ...neighbours];
      const longer = t.identities.flightNumber();
      const flightNumber = longer.slice(0, -1);
      const flight = await put(
        t,
        routes.map((route) => ({ route })),
        { flightNumber },
      );
      const { departureDate } = flight;
      const nextDay = { flightNumber, departureDate: utcDate(Date.parse(departureDate), 1) };
      // Its number begins with that of the flight.
      const namesake = { flightNumber: longer, departureDate };
      for (const one of [nextDay, namesake]) await put(t, [{ route: firstRoute }], one);
      const first = await subscriber(t, legOn(flight, firstRoute));
      const second = await subscriber(t, legOn(flight, secondRoute));

      const others: string[] = [];
      const strangers = [wayBack, ...neighbours].map((route) => legOn(flight, route));
      for (const leg of [...strangers, ...[nextDay, namesake].map((one) => legOn(one, firstRoute))]) {
        const gate = newGate(t);
        others.push(gate);
        await changeLeg(t, leg, { departure: { gate } });
      }
      const ofSecond = await tellGate(t, second);
      t.judge([second.subscribed, ...ofSecond.deliveries], { 'FLA-CB-001': ofSecond.isTold });
      const ofFirst = await tellGate(t, first);
      t.judge([first.subscribed, ...ofFirst.deliveries], { 'FLA-CB-001': ofFirst.isTold });

      const [atFirst, atSecond] = [
        await staysSilent(t, first, { gates: [...others, ofSecond.gate], what: 'another leg' }),
        await staysSilent(t, second, { gates: [...others, ofFirst.gate], what: 'another leg' }),
      ];
      t.judge([first.subscribed, ...deliveriesSince(first, 0)], { 'FLA-SUB-014': atFirst });
      t.judge([second.subscribed, ...deliveriesSince(second, 0)], { 'FLA-SUB-014': atSecond });
    },
  }),

  fixed({
    id: 'fla.callbacks.polling',
    title: 'a change of a leg that is subscribed for polling only is notified to no callback of the partner',
    verifies: ['FLA-CB-017'],
    needs: [...needs, 'state:enterprise.create'],
    run: async (t) => {
      const [watched, polled] = [await newLeg(t), await newLeg(t)];
      // A partner without any other callback that could be notified.
      const { key: own } = await freshEnterprise(t);
      const key = { kind: 'key', key: own } as const;
      const watching = await subscriber(t, watched, { key });
      const polling = await subscribeTo(t, polled, 'absent', key);
      t.assume(isAccepted(polling), `${polling.id}: ${describeResponse(polling)}`);
      const gate = newGate(t);
      await changeLeg(t, polled, { departure: { gate } });
      const silence = await staysSilent(t, watching, { gates: [gate], what: 'the polling-only leg' });
      t.judge([polling, ...deliveriesSince(watching, 0)], { 'FLA-CB-017': silence });
    },
  }),

  fixed({
    id: 'fla.callbacks.enterprises',
    title: 'each enterprise is notified at its own URL, with its own key and fid',
    verifies: ['FLA-CB-001', 'FLA-CB-021'],
    needs: [...needs, 'other-enterprise'],
    run: async (t) => {
      const leg = legOn(await put(t, [{ route: firstRoute }]), firstRoute);
      const mine = await subscriber(t, leg);
      const [theirKey] = t.keys.other;
      t.assume(theirKey !== undefined, 'there is no key of another enterprise');
      const key = theirKey === undefined ? undefined : ({ kind: 'key', key: theirKey } as const);
      const theirs = await subscriber(t, leg, key === undefined ? {} : { key });
      const { gate, isTold } = await tellGate(t, mine);
      await awaitNotices(t, theirs, (arrived) => noticesOf(arrived).some(tellsGate(gate)));
      const areTheyTold: Judgement = countOf(theirs) > 0 ? holds : untold(gate);
      const evidence = [mine, theirs].flatMap((one) => [one.subscribed, ...deliveriesSince(one, 0)]);
      t.judge(evidence, {
        'FLA-CB-021': all(nothingOf(theirs, mine), nothingOf(mine, theirs)),
        'FLA-CB-001': all(isTold, areTheyTold),
      });
    },
  }),

  fixed({
    id: 'fla.callbacks.shared-address',
    title: 'the fid alone tells which of two legs with one address has changed',
    verifies: ['FLA-CB-023'],
    needs,
    run: async (t) => {
      const one = await subscriber(t, await newLeg(t));
      const other = await subscriber(t, await newLeg(t), { address: one.address });
      const fids: Json[] = [];
      for (const changed of [other, one]) {
        const { gate, deliveries } = await tellGate(t, changed);
        const [told] = noticesOf(deliveries).filter(tellsGate(gate));
        t.assume(told !== undefined, `no notification tells gate ${gate}`);
        t.assume(typeof told?.fid === 'string', 'a notification has no fid');
        fids.push(told?.fid ?? null);
      }
      const [ofOther, ofOne] = fids;
      const isTold = ofOther !== ofOne;
      t.judge([one.subscribed, other.subscribed, ...deliveriesSince(one, 0)], {
        'FLA-CB-023': isTold ? holds : ofAnother('fid', 'fid', 'leg', is.value(ofOne)),
      });
    },
  }),

  fixed({
    id: 'fla.callbacks.attached',
    title: 'a callback that is attached later is notified of the changes from then on',
    verifies: ['FLA-CB-018'],
    needs,
    run: async (t) => {
      const leg = await newLeg(t);
      const polling = await subscribeTo(t, leg);
      t.assume(isAccepted(polling), `${polling.id}: ${describeResponse(polling)}`);
      await changeLeg(t, leg, { departure: { gate: newGate(t) } });
      const attached = await subscriber(t, leg);
      const { deliveries, isTold } = await tellGate(t, attached);
      t.judge([polling, attached.subscribed, ...deliveries], {
        'FLA-CB-018': await unlessNobodyIsTold(t, isTold, await newLeg(t)),
      });
    },
  }),

  fixed({
    id: 'fla.callbacks.kept',
    title: 'an identical subscribe, and one without callbackData, leave callback, key and fid as they are',
    verifies: ['FLA-SUB-007', 'FLA-CB-019', 'FLA-CB-010'],
    needs,
    run: async (t) => {
      const kept = await subscriber(t, await newLeg(t));
      await isSettled(t);
      const hasInitial = countOf(kept) > 0;
      const before = await tellGate(t, kept);
      t.assume(before.isTold.status === 'holds', 'not even the first change is notified');

      const beforeRetry = countOf(kept);
      const retry = await subscribeTo(t, kept.leg, kept.callback, kept.key);
      const isCertain = !hasInitial && (await isSettled(t));
      if (isCertain)
        t.judge([retry, ...deliveriesSince(kept, beforeRetry)], {
          'FLA-CB-010': tellsNothingNew(kept, beforeRetry),
        });
      const after = await tellGate(t, kept);
      t.judge([retry, ...before.deliveries, ...after.deliveries], {
        'FLA-SUB-007': all(after.isTold, keepsKey(before.deliveries, after.deliveries)),
      });

      const polling = await subscribeTo(t, kept.leg, 'absent', kept.key);
      const later = await tellGate(t, kept);
      t.judge([polling, ...after.deliveries, ...later.deliveries], {
        'FLA-CB-019': all(
          later.isTold,
          keepsKey(after.deliveries, later.deliveries),
          keepsFid(after.deliveries, later.deliveries),
        ),
      });
      if (!isCertain) t.skip('a notification of the registration may come at any time');
    },
  }),

  fixed({
    id: 'fla.callbacks.refused',
    title: 'a subscribe that is refused changes nothing about who is notified, where, with which key and fid',
    verifies: ['FLA-SUB-011'],
    needs,
    run: async (t) => {
      const kept = await subscriber(t, await newLeg(t));
      const elsewhere = t.callbacks.open('flight-alerts');
      const { fid, callbackUrl } = kept.callback;
      const otherUrl = `${elsewhere.url}/changes`;
      let before = await tellGate(t, kept);
      t.assume(before.isTold.status === 'holds', 'not even the first change is notified');
      for (const callback of [
        { fid, callbackUrl: otherUrl },
        { fid: `${fid}-other`, callbackUrl },
        { fid: `${fid}-other`, callbackUrl: otherUrl },
        { fid: 7, callbackUrl: otherUrl },
      ]) {
        const refused = await subscribeTo(t, kept.leg, callback, kept.key);
        t.assume(!isAccepted(refused), `${refused.id}: another callback was accepted`);
        const after = await tellGate(t, kept);
        t.judge([refused, ...before.deliveries, ...after.deliveries, ...elsewhere.mailbox.deliveries], {
          'FLA-SUB-011': all(
            after.isTold,
            keepsKey(before.deliveries, after.deliveries),
            keepsFid(before.deliveries, after.deliveries),
            silent(elsewhere.mailbox.deliveries, 'a notification to the address that was refused'),
          ),
        });
        before = after;
      }
    },
  }),

  fixed({
    id: 'fla.callbacks.dates',
    title: 'changes are notified for a flight of today, of a leap day and of the last day of a year',
    verifies: ['FLA-CB-001'],
    needs,
    run: async (t) => {
      const year = new Date(t.now()).getUTCFullYear();
      const dates = [utcDate(t.now()), `${leapYearAfter(t.now())}-02-29`, `${year}-12-31`];
      let told = 0;
      for (const departureDate of dates) {
        const leg = legOn(await put(t, [{ route: firstRoute, hour: 23 }], { departureDate }), firstRoute);
        const address = t.callbacks.open('flight-alerts');
        const callback = { fid: t.identities.fid(), callbackUrl: `${address.url}/changes` };
        const subscribed = await subscribeTo(t, leg, callback);
        // What is as far ahead may be refused for that, and what is of today may have departed.
        if (!isAccepted(subscribed)) continue;
        told += 1;
        const one = { leg, address, callback, key: undefined, subscribed };
        const { deliveries, isTold } = await tellGate(t, one);
        t.judge([subscribed, ...deliveries], {
          'FLA-CB-001': await unlessNobodyIsTold(t, isTold, await newLeg(t)),
        });
      }
      t.assume(told > 0, 'no callback was registered for any of the dates');
    },
  }),

  fixed({
    id: 'fla.callbacks.initial',
    title: 'registering a callback sends an initial notification, or none',
    verifies: ['FLA-OPN-014'],
    needs,
    run: async (t) => {
      const fresh = await subscriber(t, await newLeg(t));
      if (countOf(fresh) === 0) await isSettled(t);
      const isInitial = countOf(fresh) > 0;
      const { isTold } = await tellGate(t, fresh);
      t.assume(isTold.status === 'holds', 'not even a change is notified');
      t.observe('FLA-OPN-014', isInitial ? 'initial' : 'none', fresh.subscribed);
    },
  }),
]);

async function newLeg(t: CheckContext): Promise<FlightLeg> {
  return legOn(await put(t, [{ route: firstRoute }]), firstRoute);
}
