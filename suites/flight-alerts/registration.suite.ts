import {
  type Judgement,
  type Route,
  all,
  answered,
  describeResponse,
  differs,
  fc,
  fixed,
  generate,
  holds,
  invalid,
  is,
  keyOf,
  notApplicable,
  ok,
  property,
  responseOf,
  returnsKey,
  returnsNoKey,
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
      const polling = await subscribeTo(t, leg);
      t.judge(polling, {
        'FLA-SUB-003': answered(polling, ok),
        'FLA-SUB-004': returnsNoKey(polling),
      });
      const attached = await subscribeTo(t, leg, callback);
      t.judge([polling, attached], { 'FLA-SUB-013': all(answered(attached, ok), returnsKey(attached)) });
      const retry = await subscribeTo(t, leg, callback);
      t.judge([attached, retry], { 'FLA-SUB-006': all(answered(retry, ok), returnsNoKey(retry)) });
      const withNull = await subscribeTo(t, leg, null);
      t.judge([attached, withNull], {
        'FLA-SUB-003': answered(withNull, ok),
        'FLA-SUB-004': returnsNoKey(withNull),
      });
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
      // Among legs that share an airport with it, it may be mistaken for another one.
      const isMistaken = [404, 409].includes(responseOf(first)?.status ?? 0);
      const rule = isMistaken ? 'FLA-SUB-015' : 'FLA-SUB-005';
      t.judge(first, { [rule]: all(answered(first, ok), returnsKey(first)) });
      const second = await subscribeTo(t, legOn(flight, secondRoute), other);
      t.judge([first, second], { 'FLA-SUB-015': all(answered(second, ok), returnsKey(second)) });
      for (const [one, callbackData] of [
        [firstRoute, mine],
        [secondRoute, other],
      ] as const) {
        const retry = await subscribeTo(t, legOn(flight, one), callbackData);
        t.judge([first, second, retry], { 'FLA-SUB-015': answered(retry, ok) });
      }
      for (const one of halfAlike) {
        const alike = await subscribeTo(t, legOn(flight, one), callback());
        t.judge([first, alike], { 'FLA-SUB-015': all(answered(alike, ok), returnsKey(alike)) });
      }

      const nextDay = await put(t, [{ route: firstRoute }], {
        flightNumber: flight.flightNumber,
        departureDate: utcDate(Date.parse(flight.departureDate), 1),
      });
      const polling = await subscribeTo(t, legOn(nextDay, firstRoute));
      t.judge([first, polling], { 'FLA-SUB-003': answered(polling, ok) });
      const attached = await subscribeTo(t, legOn(nextDay, firstRoute), callback());
      t.judge([first, polling, attached], {
        'FLA-SUB-013': all(answered(attached, ok), returnsKey(attached)),
      });

      const [one, two] = [keyOf(first) ?? '', keyOf(second) ?? ''];
      if (commonPrefix(one, two) !== null && one !== two) t.observe('FLA-OPN-001', 'prefixed-token', second);
      t.observe('FLA-OPN-027', one === two ? 'per-partner' : 'per-subscription', second);
      const shared = await subscribeTo(t, legOn(flight, thirdRoute), { ...callback(), fid: mine.fid });
      const status = responseOf(shared)?.status;
      const variant = { 200: 'allowed', 409: 'refused-409', 400: 'refused-400' }[status ?? 0];
      if (variant !== undefined) t.observe('FLA-OPN-017', variant, shared);
      t.judge([first, second], { 'FLA-CBR-019': one === two ? notApplicable : samePrefix(one, two) });
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
        t.judge(first, {
          'FLA-CBR-014': answered(first, ok),
          'FLA-SUB-005': all(answered(first, ok), returnsKey(first)),
        });
        const retry = await subscribeTo(t, leg, callback);
        t.judge([first, retry], { 'FLA-SUB-006': all(answered(retry, ok), returnsNoKey(retry)) });
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
      const first = await subscribeTo(t, leg, { fid: long, callbackUrl });
      t.judge(first, { 'FLA-CBR-005': answered(first, ok) });
      const retry = await subscribeTo(t, leg, { fid: long, callbackUrl });
      t.judge([first, retry], { 'FLA-CBR-005': answered(retry, ok) });
      const other = await subscribeTo(t, leg, { fid: `${long.slice(0, -1)}g`, callbackUrl });
      t.judge([first, other], {
        'FLA-SUB-009': answered(other, { status: 409, code: 'EXTERNAL_FID_ALREADY_REGISTERED' }),
      });
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
      const good = await subscribeTo(t, leg, callback());
      t.judge([badFid, badUrl, good], { 'FLA-SUB-030': all(answered(good, ok), returnsKey(good)) });
    },
  }),
]);

/** Whether two different keys begin alike. The judgement does not contain them. */
function samePrefix(one: string, other: string): Judgement {
  if (one !== '' && other.startsWith(one.slice(0, 1))) return holds;
  return differs(
    'prefix',
    'callbackApiKey',
    is.text('the prefix of the first key'),
    is.text('another beginning'),
  );
}
