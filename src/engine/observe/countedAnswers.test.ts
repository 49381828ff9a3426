import { expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { operationIds } from '../../core/operations.ts';
import { oracles } from '../../judge/oracles.ts';
import { samplesOf, type Oracle } from '../../judge/kernel/oracle.ts';
import { answerFields } from '../../spec/grammar/headers.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import * as bodies from '../../../test/support/judge/bodies.ts';
import { WatchIndex } from './countedAnswers.ts';

const watching = (oracle: Oracle) => ({ oracle, watch: oracle.createWatch() });
const oracleOf = (limits: Partial<Oracle>): Oracle => ({
  ...{ id: 'test', title: 'a title', verifies: [] },
  createWatch: () => ({ exchange: () => [] }),
  ...limits,
});

test('an oracle is shown the operations and answers that it names, and everything where it names none', () => {
  const [all, lists, refusals] = [
    oracleOf({}),
    oracleOf({ operations: ['wci.list'], answers: 'accepted' }),
    oracleOf({ answers: 'refused' }),
  ];
  const index = new WatchIndex([all, lists, refusals].map(watching));
  const shown = (seen: Exchange) => index.of(seen).map(({ oracle }) => oracle);
  expect(shown(exchange({ operation: 'wci.list', status: 200 }))).toEqual([all, lists]);
  expect(shown(exchange({ operation: 'wci.list', status: 400 }))).toEqual([all, refusals]);
  expect(shown(exchange({ operation: 'wci.status', status: 200 }))).toEqual([all]);
  expect(shown(exchange({ operation: null, status: 204 }))).toEqual([all]);
});

test('one that looks at deliveries alone is shown no exchange', () => {
  const ofDeliveries = oracleOf({ createWatch: () => ({ delivery: () => [] }) });
  const index = new WatchIndex([watching(ofDeliveries)]);
  expect(index.of(exchange({ operation: 'wci.list' }))).toEqual([]);
});

const seen: readonly Exchange[] = [...operationIds, null].flatMap((operation) =>
  [200, 204, 302, 400, 401, 402, 404, 409, 422, 429, 500, 502].flatMap((status) =>
    [
      bodies.subscribed({}),
      bodies.updateBody(),
      bodies.listBody([bodies.item()]),
      bodies.errorBody('X'),
      'text',
    ].map((body) => exchange({ operation, status, body })),
  ),
);

test.each(oracles)('$id says nothing of what it need not be shown', (oracle) => {
  const [asked, left] = [oracle.createWatch(), oracle.createWatch()];
  const index = new WatchIndex([{ oracle, watch: asked }]);
  const withIndex = seen.flatMap((one) => index.of(one).flatMap(({ watch }) => watch.exchange?.(one) ?? []));
  const without = seen.flatMap((one) => left.exchange?.(one) ?? []);
  expect(withIndex).toEqual(without);
});

const said = ({ createWatch }: Oracle, one: Exchange) =>
  samplesOf(createWatch(), one).filter(
    ({ evidence, judgement }) => evidence === undefined && judgement.status !== 'unclear',
  );

test.each(oracles.filter(({ judges }) => judges === 'answers'))(
  '$id goes by the answer alone, and by few of its header fields',
  (oracle) => {
    for (const one of seen) {
      if (one.outcome.kind === 'failure') continue;
      const { response } = one.outcome;
      const headers = response.headers.filter(([name]) =>
        answerFields.some((field) => field === name.toLowerCase()),
      );
      const sent = exchange({ operation: one.operation, query: 'page=1', sent: { a: 1 }, key: null });
      const other = { ...sent, outcome: { ...one.outcome, response: { ...response, headers } } };
      expect(said(oracle, other)).toEqual(said(oracle, one));
    }
  },
);
