import { expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { knownBookings } from '../../judge/webcheckin/oracles/knownBookings.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';

interface Asked {
  readonly page?: number;
  readonly limit?: number;
  readonly total?: number;
  readonly status?: string;
  readonly key?: string;
  readonly enterprise?: string;
}

let at = 0;

function list(ids: string, { page, limit = 2, total = 4, status, ...sketch }: Asked = {}): Exchange {
  const query = [
    page === undefined ? '' : `page=${page}`,
    `limit=${limit}`,
    status ? `status=${status}` : '',
  ];
  const pagination = { page: page ?? 0, limit, total, totalPages: Math.ceil(total / limit) };
  const data = Array.from(ids).map((checkin_id) => ({ checkin_id, status: status ?? 'SCHEDULED' }));
  const body = { success: true, data, pagination };
  at += 10_000;
  return exchange({ operation: 'wci.list', query: query.filter(Boolean).join('&'), at, body, ...sketch });
}

function judge(...lists: readonly Exchange[]) {
  const watch = knownBookings.createWatch();
  const samples = [...lists.flatMap((one) => watch.exchange?.(one) ?? []), ...(watch.end?.() ?? [])];
  const of = (status: string) => [
    ...new Set(samples.flatMap((one) => (one.judgement.status === status ? [one.requirement] : []))),
  ];
  return { holds: of('holds'), violated: of('violated') };
}

test('pages of one list fit together', () => {
  const { holds, violated } = judge(list('ab', { page: 0 }), list('cd', { page: 1 }), list('ab'));
  expect(violated).toEqual([]);
  expect(holds).toEqual(expect.arrayContaining(['WCI-LST-004', 'WCI-LST-005', 'WCI-LST-029']));
});

test('a place is that of the latest page that showed it', () => {
  const { holds } = judge(list('abcd', { page: 0, limit: 9 }), list('ab', { page: 0 }), list('ab'));
  expect(holds).toContain('WCI-LST-004');
});

test('further pages do not count what is left', () => {
  const walk = [
    list('ab', { page: 0, total: 6 }),
    list('cd', { page: 1 }),
    list('ef', { page: 2, total: 2 }),
  ];
  expect(judge(...walk, list('ab', { page: 0, total: 6 })).violated).toContain('WCI-LST-029');
  // One that is late, and a list that has grown, show nothing.
  expect(judge(...walk.slice(0, 2), list('ab', { page: 0, total: 6 })).violated).not.toContain('WCI-LST-029');
  expect(judge(...walk).violated).not.toContain('WCI-LST-029');
});

test('pages that hold more than the total show that this is wrong', () => {
  const pages = ['a', 'b'].map((id, page) => list(id, { page, limit: 1, total: 1 }));
  expect(judge(...pages).violated).toContain('WCI-LST-005');
});

test('a filter is applied before the list is cut into pages', () => {
  const all = list('ab', { status: 'FAILED', page: 0, total: 2 });
  const cut = list('', { status: 'FAILED', page: 0, limit: 1, total: 2 });
  expect(judge(all, cut, all).violated).toEqual(['WCI-LST-028']);
  expect(judge(all, cut).violated).toEqual([]);
});

test('two keys see the same, and the total is that of one enterprise', () => {
  const [one, two] = [{ key: 'primary#1' }, { key: 'primary#2' }];
  const mine = list('abcd', { limit: 9, ...one });
  expect(
    judge(mine, list('ab', { limit: 9, total: 2, ...two }), list('abcd', { limit: 9, ...one })).violated,
  ).toEqual(['WCI-LST-022']);
  expect(judge(mine, list('abcd', { limit: 9, ...two })).holds).toContain('WCI-LST-022');
  const other = { key: 'other#1', enterprise: 'other', limit: 9 };
  expect(judge(mine, list('ef', { ...other, total: 2 })).holds).toContain('WCI-LST-024');
  const both = [list('abcd', { limit: 9, total: 6 }), list('ef', { ...other, total: 6 })];
  expect(judge(...both).violated).toContain('WCI-LST-024');
});
