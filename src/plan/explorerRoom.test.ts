import { describe, expect, it } from 'vitest';
import { resolveSettings } from '../settings/settings.ts';
import { budgetsOf } from './budgets.ts';
import type { Capability } from './check.ts';
import { explorerRoom } from './explorerRoom.ts';

const able: readonly Capability[] = ['writes', 'quota'];

function room(flags: Parameters<typeof resolveSettings>[0], { planned = 500, quota = 10, has = able } = {}) {
  const settings = resolveSettings(flags, { env: {} });
  const budgets = { ...budgetsOf(settings), maxRequests: 800, maxQuota: 40 };
  const total = { requests: planned, quota, subscriptions: 0 };
  return explorerRoom({ total, budgets, keys: 1 }, settings, new Set(has));
}

describe('the room of the explorer', () => {
  it('is a minute of one key by default, and a fifth of the requests where keys are made', () => {
    expect(room({ explore: 'auto' })).toEqual({ requests: 60, units: 8, waitMs: 60_000 });
    expect(room({ explore: 'auto' }, { has: [...able, 'state:keys.issue'] })?.requests).toBe(100);
  });

  it('is what was asked for, within what the budgets leave', () => {
    expect(room({ explore: 200 })?.requests).toBe(200);
    expect(room({ explore: 2000 }, { quota: 30 })).toMatchObject({ requests: 300, units: 10 });
  });

  it.each([
    ['nobody asks for it', {}, {}],
    ['the run is a smoke run', { explore: 'auto', profile: 'smoke' }, {}],
    ['the user selects checks', { explore: 'auto', only: ['WCI-*'] }, {}],
    ['no unit is left', { explore: 'auto' }, { quota: 39 }],
    ['only reading is allowed', { explore: 'auto' }, { has: [] }],
  ] as const)('is none where %s', (_why, flags, more) => {
    expect(room(flags as never, more)).toBeNull();
  });
});
