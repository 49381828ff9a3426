import {
  type CheckContext,
  type FlightLeg,
  type Route,
  describeResponse,
  fixed,
  holds,
  is,
  ofAnother,
  generate,
  isAccepted,
  noticesOf,
  suite,
  utcDate,
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
  subscriber,
  tellGate,
  tellsGate,
} from '../support/notices.ts';
import { tellsNothingNew } from '../support/recipients.ts';

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

      const strangers = [wayBack, ...neighbours].map((route) => legOn(flight, route));
      for (const leg of [...strangers, ...[nextDay, namesake].map((one) => legOn(one, firstRoute))])
        await changeLeg(t, leg, { departure: { gate: newGate(t) } });
      for (const one of [second, first]) await tellGate(t, one);
      await isSettled(t);
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
      await changeLeg(t, polled, { departure: { gate: newGate(t) } });
      await tellGate(t, watching);
      await isSettled(t);
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
      const { gate } = await tellGate(t, mine);
      await awaitNotices(t, theirs, (arrived) => noticesOf(arrived).some(tellsGate(gate)));
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
      const fids: unknown[] = [];
      for (const changed of [other, one]) {
        const { gate, deliveries } = await tellGate(t, changed);
        const [told] = noticesOf(deliveries).filter(tellsGate(gate));
        t.assume(typeof told?.fid === 'string', `no notification tells gate ${gate} with a fid`);
        fids.push(told?.fid);
      }
      const [ofOther, ofOne] = fids;
      t.judge([one.subscribed, other.subscribed, ...deliveriesSince(one, 0)], {
        'FLA-CB-023': ofOther === ofOne ? ofAnother('fid', 'fid', 'leg', is.value(ofOne)) : holds,
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
      await tellGate(t, await subscriber(t, leg));
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
      await tellGate(t, kept);
      const count = countOf(kept);
      const retry = await subscribeTo(t, kept.leg, kept.callback, kept.key);
      const isCertain = !hasInitial && (await isSettled(t));
      if (isCertain)
        t.judge([retry, ...deliveriesSince(kept, count)], { 'FLA-CB-010': tellsNothingNew(kept, count) });
      await tellGate(t, kept);
      await subscribeTo(t, kept.leg, 'absent', kept.key);
      await tellGate(t, kept);
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
      await tellGate(t, kept);
      for (const callback of [
        { fid, callbackUrl: otherUrl },
        { fid: `${fid}-other`, callbackUrl },
        { fid: `${fid}-other`, callbackUrl: otherUrl },
        { fid: 7, callbackUrl: otherUrl },
      ]) {
        const refused = await subscribeTo(t, kept.leg, callback, kept.key);
        t.assume(!isAccepted(refused), `${refused.id}: another callback was accepted`);
        await tellGate(t, kept);
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
        await tellGate(t, { leg, address, callback, key: undefined, subscribed });
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
