import { expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { validateSelection } from './selection.ts';

const catalogue = loadCatalogue();
const checks = [{ id: 'wci.status.alias', tags: ['smoke', 'fixed'] }];
const none = { only: [], require: [], openPoints: {} };
const select = (part: Partial<Parameters<typeof validateSelection>[0]>) => () =>
  validateSelection({ ...none, ...part }, catalogue, checks);

test.each(['WCI-STS-*', 'wci-sts-001', 'WCI.status.*', 'smoke', '*', 'SHR-OPN-002'])(
  '%s is known',
  (pattern) => {
    expect(select({ only: [pattern] })).not.toThrow();
  },
);

test.each<[Parameters<typeof select>[0], RegExp]>([
  [
    { only: ['wci.status.alais'] },
    /no such requirement, check or tag as "wci.status.alais" \(did you mean 'wci.status.alias'\?\)/,
  ],
  [{ only: ['smok', 'smoke'] }, /did you mean 'smoke'/],
  [{ only: ['banana'] }, /`gatecheck requirements` lists them/],
  [
    { require: ['second-keys'] },
    /--require: no such capability as "second-keys" \(did you mean 'second-key'\?\)/,
  ],
  [{ openPoints: { 'SHR-OPN-999': 'x' } }, /openPoints.SHR-OPN-999: no such open point/],
  [{ openPoints: { 'SHR-OPN-002': 'x' } }, /openPoints.SHR-OPN-002: expected one of not-counted, /],
])('%o is refused', (part, message) => {
  expect(select(part)).toThrow(message);
});

test('a state is a capability', () => {
  expect(select({ require: ['state:clock.advance'] })).not.toThrow();
});
