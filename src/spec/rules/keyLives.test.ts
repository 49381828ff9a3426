import { expect, test } from 'vitest';
import { errorBody, listBody } from '../../../test/support/judge/bodies.ts';
import { exchange, testStart } from '../../../test/support/judge/exchanges.ts';
import type { Step } from '../../trace/evidence.ts';
import type { Exchange } from '../../core/evidence.ts';
import { KeyLives } from './keyLives.ts';

interface Asked {
  readonly at: number;
  readonly key?: string;
  readonly enterprise?: string;
}

const read = ({ at, key = 'issued#1', enterprise = 'new-a' }: Asked) =>
  exchange({ operation: 'wci.list', body: listBody([]), key, enterprise, at });
const lookup = ({ at, key = 'issued#1', enterprise = 'new-a' }: Asked) =>
  exchange({
    operation: 'fla.lookup',
    status: 404,
    body: errorBody('FLIGHT_NOT_FOUND'),
    key,
    enterprise,
    at,
  });
const refused = (one: Exchange): Exchange => ({
  ...exchange({ ...one, operation: one.operation, status: 401, body: errorBody('INVALID_API_KEY') }),
  ...{ key: one.key, enterprise: one.enterprise, request: one.request, timings: one.timings },
});
const step = (operation: string, at: number, key = 'issued#1', more: Partial<Step> = {}): Step => ({
  ...{
    type: 'step',
    id: 's1',
    operation,
    params: { key: `‹key ${key}›` },
    told: {},
    error: null,
    movedMs: 0,
  },
  ...{ startedAt: testStart + at, endedAt: testStart + at, outcome: 'done', ...more },
});

function judge(...all: readonly (Exchange | Step)[]): readonly string[] {
  const lives = new KeyLives();
  const said = all.flatMap((one) => {
    if (!('type' in one)) return lives.judge(one);
    lives.step(one);
    return [];
  });
  return [...said, ...lives.end()].map(([rule, wrong]) => `${wrong ? 'breaks' : 'keeps'} ${rule}`);
}

test('a key that is revoked or disabled has a minute, unless nobody knows whether it is', () => {
  const late = read({ at: 70_000 });
  expect(judge(step('keys.revoke', 1000), read({ at: 50_000 }))).toEqual([]);
  expect(judge(step('keys.revoke', 1000), late)).toEqual(['breaks SHR-AUT-006']);
  expect(judge(step('keys.disable', 1000), late)).toEqual(['breaks SHR-AUT-007']);
  expect(judge(step('keys.disable', 1000), refused(late))).toEqual(['keeps SHR-AUT-007']);
  expect(judge(step('keys.revoke', 1000, 'issued#1', { outcome: 'unknown' }), late)).toEqual([]);
  expect(judge(step('keys.revoke', 1000), step('reset', 2000), late)).toEqual([]);
});

test('the other keys of its enterprise still work', () => {
  const [one, two] = [read({ at: 0 }), read({ at: 0, key: 'issued#2' })];
  const after = read({ at: 2000, key: 'issued#2' });
  expect(judge(one, two, step('keys.revoke', 1000), after)).toEqual(['keeps SHR-AUT-008']);
  expect(judge(one, two, step('keys.revoke', 1000), refused(after))).toEqual(['breaks SHR-AUT-008']);
  expect(judge(one, step('keys.revoke', 1000), refused(after))).toEqual([]);
  expect(judge(two, step('keys.revoke', 1000), refused(after))).toEqual([]);
});

test('a key of the run is valid however far the clock is moved, if it was not revoked', () => {
  const all = [read({ at: 0 }), step('clock.advance', 1000)] as const;
  expect(judge(...all, read({ at: 2000 }))).toEqual(['keeps SHR-AUT-014']);
  expect(judge(...all, refused(read({ at: 2000 })))).toEqual(['breaks SHR-AUT-014']);
  const revoked = step('keys.revoke', 1500, 'issued#9');
  expect(judge(...all, revoked, refused(read({ at: 2000 })))).toEqual([]);
});

test('one key opens both APIs; one that is new may reach one of them late', () => {
  const given = { key: 'primary#1', enterprise: 'primary' };
  expect(judge(read({ at: 0 }), lookup({ at: 1000 }))).toEqual(['keeps SHR-AUT-009']);
  expect(judge(read({ at: 0, ...given }), refused(lookup({ at: 1000, ...given })))).toEqual([
    'breaks SHR-AUT-009',
  ]);
  expect(judge(read({ at: 0 }), refused(lookup({ at: 1000 })))).toEqual([]);
  expect(judge(read({ at: 0 }), refused(lookup({ at: 60_000 })))).toEqual(['breaks SHR-AUT-009']);
  expect(judge(read({ at: 0 }), refused(lookup({ at: 60_000 })), refused(read({ at: 61_000 })))).toEqual([]);
});
