import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLaws } from '../../../test/laws/laws.ts';
import { clockFault } from '../../../test/laws/webCheckIn.ts';
import { dateTimeCorners, dateTimeForm } from '../../generate/webcheckin/clocks.ts';
import { preferredForm, renderDateTime } from './clockSpelling.ts';
import { localDateTime } from '../kit/localTime.ts';

const local = localDateTime(Date.UTC(2031, 2, 4, 5, 6, 7), 'UTC');

test('every form of a real wall clock is one that the document tolerates', () => {
  expectLaws(dateTimeForm, (form) => expect(clockFault(renderDateTime(local, form))).toBeNull(), 300);
});

test('no form changes the digits of date, hour and minute', () => {
  expectLaws(dateTimeForm, (form) =>
    expect(renderDateTime(local, form).trim().replace(' ', 'T')).toMatch(/^2031-03-04T05:06/),
  );
});

test.each([
  [preferredForm, '2031-03-04T05:06:07'],
  [{ ...preferredForm, separator: ' ', time: 'minutes' }, '2031-03-04 05:06'],
  [
    { ...preferredForm, time: '.05', suffix: '-0500', spacesBefore: 1, spacesAfter: 2 },
    ' 2031-03-04T05:06:07.05-0500  ',
  ],
] as const)('%j renders as %j', (form, text) => {
  expect(renderDateTime(local, form)).toBe(text);
});

test('a hundred samples hold every separator, precision and kind of suffix', () => {
  const texts = fc
    .sample(dateTimeForm, { seed: 1, numRuns: 100 })
    .map((form) => renderDateTime(local, form).trim());
  const kinds = [
    /T/,
    /\d \d/,
    /:06$/,
    /:07$/,
    /\.\d$/,
    /\.\d{2}$/,
    /\.\d{3}$/,
    /Z$/,
    /[+]\d\d:\d\d$/,
    /-\d{4}$/,
  ];
  expect(kinds.filter((kind) => !texts.some((text) => kind.test(text)))).toEqual([]);
});

test.each(dateTimeCorners)('the corner $name is none of the tolerated forms', ({ text }) => {
  expect(clockFault(text(local))).not.toBeNull();
});
