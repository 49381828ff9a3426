import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../settings/settings.ts';
import { budgetsOf } from './budgets.ts';
import type { Capability } from './check.ts';
import { explorerRooms } from './explorerRoom.ts';

const able: readonly Capability[] = ['writes', 'quota', 'subscriptions'];

function rooms(flags: Parameters<typeof resolveSettings>[0], { planned = 500, quota = 10, has = able } = {}) {
  const settings = resolveSettings(flags, { env: {} });
  const budgets = { ...budgetsOf(settings), maxRequests: 800, maxQuota: 40, maxSubscriptions: 30 };
  const total = { requests: planned, quota, subscriptions: 4 };
  return explorerRooms({ total, budgets, keys: 1 }, settings, new Set(has));
}

const requestsIn = (all: ReturnType<typeof rooms>) => all.map(({ requests }) => requests);

describe('the room of the explorer', () => {
  it('is a minute of one key by default, and a fifth of the requests where keys are made', () => {
    expect(rooms({ explore: 'auto' })).toEqual([
      { api: 'webcheckin', requests: 30, units: 8, subscriptions: 0, waitMs: 60_000 },
      { api: 'flight-alerts', requests: 30, units: 0, subscriptions: 6, waitMs: 60_000 },
    ]);
    expect(requestsIn(rooms({ explore: 'auto' }, { has: [...able, 'state:keys.issue'] }))).toEqual([50, 50]);
  });

  it('belongs to one API where the other cannot be written to', () => {
    const found = rooms({ explore: 'auto' }, { has: ['writes', 'subscriptions'] });
    expect(found).toEqual([{ ...found[0], api: 'flight-alerts', requests: 60 }]);
  });

  it('is what was asked for, within what the budgets leave', () => {
    expect(requestsIn(rooms({ explore: 200 }))).toEqual([100, 100]);
    expect(rooms({ explore: 2000 }, { quota: 30 })).toMatchObject([
      { requests: 150, units: 10 },
      { requests: 150, subscriptions: 26 },
    ]);
  });

  it.each([
    ['nobody asks for it', { explore: 'off' }, {}],
    ['the run is a smoke run', { explore: 'auto', profile: 'smoke' }, {}],
    ['the user selects checks', { explore: 'auto', only: ['WCI-*'] }, {}],
    ['neither units nor subscriptions are left', { explore: 'auto', apis: ['webcheckin'] }, { quota: 39 }],
    ['only reading is allowed', { explore: 'auto' }, { has: [] }],
  ] as const)('is none where %s', (_why, flags, more) => {
    expect(rooms(flags as never, more)).toEqual([]);
  });
});
