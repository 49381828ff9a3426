import { expect, test } from 'vitest';
import { errorBody, subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { recordHistory } from '../../judge/webcheckin/oracles/recordHistory.ts';

const [foreign, missing] = ['chk-primary-0001', 'chk-primary-9999'];
const notFound = errorBody('NOT_FOUND');
const told = errorBody('NOT_FOUND', { message: "Another enterprise's." });
const inTurns = [foreign, missing, missing, foreign, foreign, missing, missing, foreign];

function judge(ids: readonly string[], bodyOf: (id: string, at: number) => object, body: object = {}) {
  const watch = recordHistory.createWatch();
  watch.exchange?.(
    exchange({ operation: 'wci.subscribe', body: subscribed({ checkin_id: foreign }), at: 1 }),
  );
  watch.note?.({ type: 'claim', at: 0, claim: 'made-up', ids: [missing] });
  const said = ids.flatMap((id, at) => {
    const sketch = { enterprise: 'other', key: 'other#1', at: 100 * (at + 1), status: 404 } as const;
    const sent = { checkin_id: id, ...body };
    const requestHeaders = [['content-type', 'application/json']] as const;
    return (
      watch.exchange?.(
        exchange({ ...sketch, operation: 'wci.update', requestHeaders, sent, body: bodyOf(id, at) }),
      ) ?? []
    );
  });
  return said
    .filter(({ requirement }) => /SCP-00[45]/.test(requirement))
    .map(({ requirement, judgement }) => `${requirement} ${judgement.status}`);
}

test('a foreign record that is answered like a missing one keeps the rule, also where the update is invalid', () => {
  expect(
    judge([foreign, missing], () => notFound, { passengers: [{ first_name: 'A', last_name: 'B' }] }),
  ).toEqual(['WCI-SCP-004 holds']);
  expect(judge([foreign, missing], () => notFound, { passengers: [] })).toEqual(['WCI-SCP-005 holds']);
});

test('words of their own break it once they are the same again and again, in turns', () => {
  const bodyOf = (id: string) => (id === foreign ? told : notFound);
  expect(judge(inTurns.slice(0, 2), bodyOf)).toEqual([]);
  expect(judge(inTurns.toSorted(), bodyOf)).toEqual([]);
  expect(judge(inTurns, bodyOf, { passengers: [] })).toEqual(['WCI-SCP-005 violated']);
});

test('words that differ among the missing as well say nothing', () => {
  const bodyOf = (_: string, at: number) => (at % 2 === 0 ? told : notFound);
  expect(judge(inTurns, bodyOf).filter((said) => said.endsWith('violated'))).toEqual([]);
});
