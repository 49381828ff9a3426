import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { DecisionLog } from './runObservations.ts';

test('decisions stand by the key that asked, in the order of their answers', () => {
  const log = new DecisionLog();
  log.note({ ...exchange({ operation: 'wci.list', status: 200 }), id: 'x1', key: 'primary#1' });
  log.note({ ...exchange({ operation: 'wci.list', status: 429 }), id: 'x2', key: 'primary#2' });
  log.note({ ...exchange({ operation: 'wci.list', status: 429 }), id: 'x3', key: 'primary#1' });
  expect(log.of('primary#1').map(({ id, ruling }) => [id, ruling])).toEqual([
    ['x1', 'admitted'],
    ['x3', 'refused'],
  ]);
});

test('what was sent without a key is nobody’s', () => {
  const log = new DecisionLog();
  log.note({ ...exchange({ operation: 'wci.list', status: 401 }), key: null });
  expect(log.of('primary#1')).toEqual([]);
});
