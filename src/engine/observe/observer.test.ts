import { expect, test } from 'vitest';
import type { Delivery, Exchange, Outcome } from '../../core/evidence.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { holds, differs } from '../../judge/kernel/judgement.ts';
import type { Oracle, Watch } from '../../judge/kernel/oracle.ts';
import { sampleOf } from '../../judge/kernel/sample.ts';
import { noJournal } from '../../send/journal.ts';
import { SharedBodies } from '../../send/sharedBodies.ts';
import { delivery } from '../../../test/support/judge/deliveries.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import type { SecretWatch } from './secretWatch.ts';
import { ServerClock } from '../clock/serverClock.ts';
import { Observer } from './observer.ts';

const one = exchange({ operation: 'wci.list', body: { success: true } });

function oracleOf(requirement: string, createWatch: () => Watch): Oracle {
  return { id: 'test', title: 'a title', verifies: [requirement], createWatch };
}

/** An observer, and what it records: ids, each with what it violates. */
function witnessOf(...oracles: readonly Oracle[]) {
  const news: number[] = [];
  const recorded: (readonly [id: string, violated: readonly string[]])[] = [];
  const observer = new Observer({
    oracles,
    secrets: { observe: () => undefined } as unknown as SecretWatch,
    serverClock: new ServerClock(new VirtualClock(0)),
    journal: {
      ...noJournal,
      exchange: ({ id }, broken) => recorded.push([id, broken]),
      delivery: ({ id }, broken) => recorded.push([id, broken]),
    },
    listener: () => undefined,
    onNews: () => news.push(recorded.length),
  });
  return { observer, recorded, news };
}

test('an oracle that breaks over an exchange spoils its own verdict only, and the exchange is recorded', () => {
  const broken = oracleOf('WCI-LST-001', () => ({
    exchange: () => {
      throw new RangeError('too deep');
    },
  }));
  const sound = oracleOf('WCI-STS-001', () => ({ exchange: () => [sampleOf('WCI-STS-001', holds)] }));
  const { observer, recorded } = witnessOf(broken, sound);
  observer.see(one);
  expect(recorded).toEqual([[one.id, []]]);
  expect(observer.tallies.of('WCI-LST-001').fault).toMatch(/a fault of Gatecheck over x\d+: RangeError/);
  expect(observer.tallies.of('WCI-STS-001')).toMatchObject({ samples: 1, fault: null });
});

test('what an oracle says for the first time is news, once it is on record', () => {
  const said = [
    holds,
    holds,
    differs('a', 'member', 'x', 'y'),
    differs('a', 'member', 'x', 'y'),
    differs('b', 'member', 'x', 'y'),
  ];
  const oracle = oracleOf('WCI-STS-001', () => ({
    exchange: () => said.splice(0, 1).map((judgement) => sampleOf('WCI-STS-001', judgement)),
  }));
  const { observer, news } = witnessOf(oracle);
  for (let count = 0; count < 6; count += 1) observer.see(one);
  expect(news).toEqual([1, 3, 5]);
});

const late = (judgement: Parameters<typeof sampleOf>[1]) => {
  const watch = (): Watch => {
    const early: Delivery[] = [];
    return {
      delivery: (came) => {
        early.push(came);
        return [];
      },
      exchange: () => early.map((came) => ({ ...sampleOf('WCI-CB-004', judgement), evidence: [came] })),
    };
  };
  return oracleOf('WCI-CB-004', watch);
};

test('a delivery that an exchange decides about later is shown by its finding, and not charged to the exchange', async () => {
  const { observer, recorded } = witnessOf(late(differs('address', 'member', 'this', 'that')));
  const came = delivery();
  await observer.seeDelivery(came);
  observer.see(one);
  expect(recorded).toEqual([
    [came.id, []],
    [one.id, []],
  ]);
  expect(observer.tallies.of('WCI-CB-004').violations.get('address')?.evidence).toEqual([came]);
});

test('an oracle that is made to forget starts afresh', async () => {
  const { observer } = witnessOf(late(holds));
  await observer.seeDelivery(delivery());
  observer.forget();
  observer.see(one);
  expect(observer.tallies.of('WCI-CB-004').samples).toBe(0);
});

test('what still waits when nothing more comes is judged then, by the delivery that waited', async () => {
  const waiting: Delivery[] = [];
  const patient = oracleOf('FLA-CB-006', () => ({
    delivery: (came) => {
      waiting.push(came);
      return [];
    },
    end: () =>
      waiting
        .splice(0)
        .map((came) => ({ ...sampleOf('FLA-CB-006', differs('fid', 'member', 'a', 'b')), evidence: [came] })),
  }));
  const { observer } = witnessOf(patient);
  const came = delivery();
  await observer.seeDelivery(came);
  expect(observer.tallies.of('FLA-CB-006').samples).toBe(0);
  observer.end();
  expect(observer.tallies.of('FLA-CB-006').violations.get('fid')).toMatchObject({
    count: 1,
    evidence: [came],
  });
});

test('an oracle that breaks at the end spoils its own verdict', () => {
  const broken = oracleOf('WCI-LST-001', () => ({
    end: () => {
      throw new RangeError('too deep');
    },
  }));
  const { observer } = witnessOf(broken);
  observer.end();
  expect(observer.tallies.of('WCI-LST-001').fault).toMatch(/over the end: RangeError/);
});

test('it tells what an exchange was seen to break', () => {
  const strict = oracleOf('WCI-LST-001', () => ({
    exchange: () => [sampleOf('WCI-LST-001', differs('shape', 'member', 'a list', 'none'))],
  }));
  const { observer } = witnessOf(strict);
  observer.see(one);
  expect(observer.violatedBy(one.id)).toEqual(['WCI-LST-001']);
  expect(observer.violatedBy('x999')).toEqual([]);
});

function withShared(outcome: Outcome, shared: SharedBodies): Outcome {
  if (outcome.kind === 'failure') return outcome;
  const { response } = outcome;
  return { ...outcome, response: { ...response, body: shared.share(response.body) } };
}

test('an answer that comes again is judged once, and counts as often as it comes', () => {
  const judged: string[] = [];
  const says = (status: 'holds' | 'broken') => (shown: Exchange) => {
    judged.push(shown.id);
    return [sampleOf('WCI-LST-001', status === 'holds' ? holds : differs('a', 'x', 1, 2))];
  };
  const answerTo = (text: string, type = 'application/json') =>
    exchange({ operation: 'wci.list', headers: [['Content-Type', type]], raw: text });
  const shared = new SharedBodies();
  const all = [answerTo('{}'), answerTo('{}'), answerTo('{}', 'text/plain'), answerTo('[]')].map((one) => ({
    ...one,
    outcome: withShared(one.outcome, shared),
  }));
  const { observer } = witnessOf({
    ...oracleOf('WCI-LST-001', () => ({ exchange: says('holds') })),
    judges: 'answers',
  });
  for (const one of all) observer.see(one);
  expect(judged).toEqual([all[0]?.id, all[2]?.id, all[3]?.id]);
  expect(observer.tallies.of('WCI-LST-001').samples).toBe(4);

  judged.length = 0;
  const wrong = witnessOf({
    ...oracleOf('WCI-LST-001', () => ({ exchange: says('broken') })),
    judges: 'answers',
  });
  for (const one of all) wrong.observer.see(one);
  expect(judged).toEqual(all.map(({ id }) => id));
});

test('what is seen to be kept at the end counts, without evidence of its own', () => {
  const { observer } = witnessOf(
    oracleOf('WCI-CB-001', () => ({ end: () => [sampleOf('WCI-CB-001', holds)] })),
  );
  observer.end();
  expect(observer.tallies.of('WCI-CB-001').samples).toBe(1);
});

test('who hears about a check is told what is said of its exchanges, also of one that was judged before', () => {
  const strict = oracleOf('WCI-LST-001', () => ({ exchange: () => [sampleOf('WCI-LST-001', holds)] }));
  const { observer } = witnessOf(strict);
  const heard: string[] = [];
  observer.hear(one.check, (_, { requirement }) => heard.push(requirement));
  observer.see(one);
  observer.see({ ...one, check: 'another' });
  observer.see(one);
  observer.hear(one.check, null);
  observer.see(one);
  expect(heard).toEqual(['WCI-LST-001', 'WCI-LST-001']);
});

test('what the making of a fixture kept is known later', () => {
  const strict = oracleOf('WCI-LST-001', () => ({
    exchange: ({ id }) => [sampleOf('WCI-LST-001', id === 'x1' ? holds : differs('a', 'member', 'x', 'y'))],
  }));
  const { observer } = witnessOf(strict);
  const made = { ...one, id: 'x1', check: 'fixture.record' };
  for (const shown of [made, { ...made, id: 'x2' }, { ...one, id: 'x1' }]) observer.see(shown);
  expect(observer.keptBy(made)).toEqual(['WCI-LST-001']);
  expect(observer.keptBy({ ...made, id: 'x2' })).toEqual([]);
});
