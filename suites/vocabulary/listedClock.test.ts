import { describe, expect, it } from 'vitest';
import { listedForm, showsClock } from './listedClock.ts';

const sent = '2026-08-01T10:20:00+14:00';

describe('a listed departure', () => {
  it.each([
    ['as it was sent', { departure_datetime: sent }, 'as-sent'],
    ['in one fixed form', { departure_datetime: '2026-08-01T10:20:00' }, 'normalized-clock'],
    ['with a space', { departure_date: '2026-08-01 10:20' }, 'normalized-clock'],
    ['with Z behind it', { departure_datetime: '2026-08-01T10:20:00.000Z' }, 'with-z'],
    ['as a date alone', { departure_date: '2026-08-01' }, 'date-only'],
  ])('may be %s', (_, item, form) => {
    expect(showsClock(item, sent).status).toBe('holds');
    expect(listedForm(item, sent)).toBe(form);
  });

  it.each([
    ['by the suffix', '2026-07-31T20:20:00.000Z'],
    ['by the zone of the airport', '2026-08-01T06:20:00Z'],
    ['in its date', '2026-07-31'],
    ['into what is no time', '2026-08-01T10:20:0x'],
  ])('must not be converted %s', (_, departure_datetime) => {
    expect(showsClock({ departure_datetime }, sent).status).toBe('violated');
  });

  it('says nothing where there is none', () => {
    expect(showsClock({ departure_datetime: null }, sent).status).toBe('unclear');
    expect(listedForm({}, sent)).toBeNull();
  });
});
