import {
  type Route,
  answered,
  describeResponse,
  fc,
  fixed,
  generate,
  invalid,
  keyOf,
  notApplicable,
  ok,
  property,
  responseOf,
  suite,
  utcDate,
} from '../checks.ts';
import {
  callbackBase,
  callbackMaker,
  callbackSubscription,
  legOn,
  put,
  subscribeTo,
} from '../support/flights.ts';
import { commonPrefix } from '../support/openFlightPoints.ts';

const route: Route = ['DOH', 'SIN'];
const [firstRoute, secondRoute, thirdRoute] = generate.journey as [Route, Route, Route];
/** Other legs that depart where the first one does, or arrive there, and the way back. */
const halfAlike: readonly Route[] = [
  [firstRoute[1], firstRoute[0]],
  [firstRoute[0], 'BKK'],
  ['KWI', firstRoute[1]],
];
/** A placeholder in generated values for a token that is new for every leg, since one fid may serve only one leg. */
const placeholder = 'tokentoken12';

export default suite('Flight alerts: new subscriptions', [
  fixed({
    id: 'fla.new.attach',
    title: 'a callback is attached to a polling-only subscription later',
    verifies: ['FLA-SUB-003', 'FLA-SUB-004', 'FLA-SUB-013', 'FLA-SUB-006'],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const callback = (await callbackMaker(t))();
      const leg = legOn(await put(t, [{ route }]), route);
      for (const callbackData of ['absent', callback, callback, null] as const)
        await subscribeTo(t, leg, callbackData);
    },
  }),

  fixed({
    id: 'fla.new.each-leg',
    title: 'each leg of one flight, on each date, has a subscription, a fid and a URL of its own',
    verifies: [
      'FLA-SUB-003',
      'FLA-SUB-005',
      'FLA-SUB-013',
      'FLA-SUB-015',
      'FLA-CBR-019',
      'FLA-OPN-001',
      'FLA-OPN-017',
      'FLA-OPN-027',
    ],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const callback = await callbackMaker(t);
      const flight = await put(
        t,
        [...generate.journey, ...halfAlike].map((one) => ({ route: one })),
      );
      const [mine, other] = [callback(), callback()];
      const first = await subscribeTo(t, legOn(flight, firstRoute), mine);
      const second = await subscribeTo(t, legOn(flight, secondRoute), other);
      await subscribeTo(t, legOn(flight, firstRoute), mine);
      await subscribeTo(t, legOn(flight, secondRoute), other);
      for (const one of halfAlike) await subscribeTo(t, legOn(flight, one), callback());

      const nextDay = await put(t, [{ route: firstRoute }], {
        flightNumber: flight.flightNumber,
        departureDate: utcDate(Date.parse(flight.departureDate), 1),
      });
      await subscribeTo(t, legOn(nextDay, firstRoute));
      await subscribeTo(t, legOn(nextDay, firstRoute), callback());

      const [one, two] = [keyOf(first) ?? '', keyOf(second) ?? ''];
      if (commonPrefix(one, two) !== null && one !== two) t.observe('FLA-OPN-001', 'prefixed-token', second);
      t.observe('FLA-OPN-027', one === two ? 'per-partner' : 'per-subscription', second);
      const shared = await subscribeTo(t, legOn(flight, thirdRoute), { ...callback(), fid: mine.fid });
      const status = responseOf(shared)?.status;
      const variant = { 200: 'allowed', 409: 'refused-409', 400: 'refused-400' }[status ?? 0];
      if (variant !== undefined) t.observe('FLA-OPN-017', variant, shared);
      if (one === two) t.judge([first, second], { 'FLA-CBR-019': notApplicable });
    },
  }),

  property({
    id: 'fla.new.any-callback',
    title: 'every fid and public address that the rules allow is registered, and kept as it is',
    verifies: ['FLA-CBR-014', 'FLA-SUB-005', 'FLA-SUB-006'],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    maxCases: 12,
    run: async (t) => {
      const base = `${await callbackBase(t)}/${placeholder}`;
      const callbacks = fc.record(
        // The longest fids have their own check.
        {
          fid: generate.fid(placeholder).filter((fid) => fid.length < 200),
          callbackUrl: generate.callbackUrlBelow(base),
        },
        { noNullPrototype: true },
      );
      await t.forAll('a callback of a new leg', callbacks, async ({ fid, callbackUrl }) => {
        const leg = legOn(await put(t, [{ route }]), route);
        const token = t.identities.token();
        const callback = {
          fid: fid.replace(placeholder, token),
          callbackUrl: callbackUrl.replace(placeholder, token),
        };
        const first = await subscribeTo(t, leg, callback);
        t.judge(first, { 'FLA-CBR-014': answered(first, ok) });
        await subscribeTo(t, leg, callback);
      });
    },
  }),

  fixed({
    id: 'fla.new.long-fid',
    title: 'a fid of 255 characters is accepted, and none of them is lost',
    verifies: ['FLA-CBR-005', 'FLA-SUB-009'],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      await callbackSubscription(t);
      const { fid, callbackUrl } = (await callbackMaker(t))();
      const leg = legOn(await put(t, [{ route }]), route);
      const long = fid.padEnd(255, 'f');
      for (const one of [long, long, `${long.slice(0, -1)}g`])
        await subscribeTo(t, leg, { fid: one, callbackUrl });
    },
  }),

  fixed({
    id: 'fla.new.after-refusal',
    title: 'a subscribe that is refused as invalid registers nothing',
    verifies: ['FLA-SUB-030'],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    run: async (t) => {
      const callback = await callbackMaker(t);
      const leg = legOn(await put(t, [{ route }]), route);
      const { fid, callbackUrl } = callback();
      await callbackSubscription(t);
      const badFid = await subscribeTo(t, leg, { fid: 12345, callbackUrl });
      const badUrl = await subscribeTo(t, leg, { fid, callbackUrl: callbackUrl.replace('https:', 'http:') });
      t.assume(
        [badFid, badUrl].every((refused) => answered(refused, invalid).status === 'holds'),
        `the faults were not refused: ${describeResponse(badFid)}, ${describeResponse(badUrl)}`,
      );
      await subscribeTo(t, leg, callback());
    },
  }),
]);
