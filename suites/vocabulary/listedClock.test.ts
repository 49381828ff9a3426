import { describe, expect, it } from 'vitest';
import { listedForm } from './listedClock.ts';

const sent = '2026-08-01T10:20:00+14:00';

describe('a listed departure', () => {
  it.each([
    ['as it was sent', { departure_datetime: sent }, 'as-sent'],
    ['in one fixed form', { departure_datetime: '2026-08-01T10:20:00' }, 'normalized-clock'],
    ['with a space', { departure_date: '2026-08-01 10:20' }, 'normalized-clock'],
    ['with Z behind it', { departure_datetime: '2026-08-01T10:20:00.000Z' }, 'with-z'],
    ['as a date alone', { departure_date: '2026-08-01' }, 'date-only'],
  ])('may be %s', (_, item, form) => {
    expect(listedForm(item, sent)).toBe(form);
  });

  it('says nothing where there is none', () => {
    expect(listedForm({}, sent)).toBeNull();
  });
});
