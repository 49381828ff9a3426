import { describe, expect, it } from 'vitest';
import { hasMember, incomplete, lacksNothing, lacksSomething } from './readiness.ts';

describe('readiness of a record', () => {
  it.each([
    ['texts', ['passport.number']],
    ['objects', [{ field: 'passport', passenger: 0 }]],
    ['some of each', ['pnr', { field: 'email' }]],
  ])('items of missing_info may be %s', (_, missing_info) => {
    const record = { missing_info, sub_status: 'WAITING_FOR_DATA', extra: 1 };
    expect(lacksSomething(record).status).toBe('holds');
    expect(lacksNothing(record).status).toBe('violated');
    expect(incomplete(record).status).toBe('holds');
  });

  it('is complete with nothing missing, whatever sub_status says', () => {
    expect(lacksNothing({ missing_info: [], sub_status: 'QUEUED' }).status).toBe('holds');
    expect(lacksSomething({ missing_info: [] }).status).toBe('violated');
  });

  it('is not incomplete with COMPLETE_INFO, although something is missing', () => {
    expect(incomplete({ missing_info: ['pnr'], sub_status: 'COMPLETE_INFO' }).status).toBe('violated');
  });

  it('cannot be told without an array or without a record', () => {
    expect(lacksNothing({ missing_info: null }).status).toBe('unclear');
    expect(lacksSomething(null).status).toBe('unclear');
    expect(hasMember(null, 'status', 'SCHEDULED').status).toBe('unclear');
  });
});
