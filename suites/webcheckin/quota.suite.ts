import type { OwnRecord } from '../../src/engine/fixtures.ts';
import { withoutPassports } from '../../src/engine/fixtures.ts';
import { fixed, passive, suite } from '../../src/engine/suite.ts';
import { answered, invalid } from '../../src/judge/answer.ts';
import { all } from '../../src/judge/judgement.ts';
import { quotaSnapshot } from '../../src/judge/oracles/quotaSnapshot.ts';
import { consumedUnits, took, unitsBetween } from '../../src/judge/quota.ts';
import { list, status, subscribe, update } from '../../src/send/request.ts';
import { withKey } from '../support/keys.ts';
import { countAttempts } from '../support/countAttempts.ts';

/** Two bodies that are refused as malformed. */
const malformed = (body: OwnRecord['body']) => [
  { ...body, flights: [] },
  { ...body, passengers: 'none' },
];

export default suite('Quota', [
  passive('wci', quotaSnapshot),

  fixed({
    id: 'wci.quota.units',
    title: 'each new attempt takes one unit, and nothing else takes any',
    verifies: ['WCI-QTA-001', 'WCI-QTA-002', 'WCI-QTA-008', 'WCI-QTA-015', 'WCI-OPN-018'],
    uses: ['complete-record'],
    // Other checks take units of the same enterprise.
    exclusive: true,
    requests: 12,
    quota: 5,
    run: async (t) => {
      const count = await countAttempts(t);
      const first = await t.fixtures.subscribed();
      if (consumedUnits(first.subscribed) === null) t.skip('the deployment shows no quota');
      const second = await t.fixtures.subscribed(twoPassengers(await t.fixtures.booking()));
      const one = unitsBetween(first.subscribed, second.subscribed);
      t.judge([first.subscribed, second.subscribed], {
        'WCI-QTA-001': took(one, 1, await count.rose(one, 1, 2)),
      });

      const refusals = [];
      for (const body of malformed(await t.fixtures.booking())) refusals.push(await t.send(subscribe(body)));
      const third = await t.fixtures.subscribed();
      const two = unitsBetween(second.subscribed, third.subscribed);
      t.assume(
        all(...refusals.map((x) => answered(x, invalid))).status === 'holds',
        'a malformed body was not refused with 400',
      );
      t.judge([second.subscribed, ...refusals, third.subscribed], {
        'WCI-QTA-008': took(two, 1, await count.rose(two, 1, 3)),
      });

      const reads = [
        await t.send(update({ checkin_id: third.checkinId, passengers: third.body.passengers })),
        await t.send(status({ checkin_id: third.checkinId })),
        await t.send(list({ limit: '1' })),
      ];
      const fourth = await t.fixtures.subscribed();
      const three = unitsBetween(third.subscribed, fourth.subscribed);
      t.judge([third.subscribed, ...reads, fourth.subscribed], {
        'WCI-QTA-015': took(three, 1, await count.rose(three, 1, 4)),
      });

      const incomplete = await t.fixtures.subscribed(withoutPassports(await t.fixtures.booking()));
      const repeated = await t.send(subscribe(fourth.body));
      const four = unitsBetween(fourth.subscribed, incomplete.subscribed);
      const repetition = unitsBetween(incomplete.subscribed, repeated);
      if (repetition === 1) t.observe('WCI-OPN-018', 'every-accepted-call', repeated);
      else if (four === 0) t.observe('WCI-OPN-018', 'complete-creation-only', incomplete.subscribed);
      else if (four === 1 && repetition === 0)
        t.observe('WCI-OPN-018', 'every-creation', incomplete.subscribed);
      t.judge([fourth.subscribed, incomplete.subscribed], {
        'WCI-QTA-002': took(four, 1, await count.rose(four, 1, 5)),
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
    requests: 3,
    quota: 2,
    run: async (t) => {
      const [one, two] = t.keys.primary;
      if (!one || !two) return;
      const count = await countAttempts(t);
      const first = (await t.fixtures.subscribed(undefined, withKey(one))).subscribed;
      if (consumedUnits(first) === null) t.skip('the deployment shows no quota');
      const second = (await t.fixtures.subscribed(undefined, withKey(two))).subscribed;
      const units = unitsBetween(first, second);
      t.judge([first, second], { 'WCI-QTA-012': took(units, 1, await count.rose(units, 1, 2)) });
    },
  }),
]);

function twoPassengers(body: OwnRecord['body']): OwnRecord['body'] {
  const passengers = body.passengers as readonly OwnRecord['body'][];
  const companion = { ...passengers[0], first_name: 'Companion' };
  return { ...body, passengers: [...passengers, companion] };
}
