import * as fc from 'fast-check';

const seed = 20310304;

/** What every generator keeps to: the same seed gives the same values, and every value holds, also while it shrinks. */
export function expectLaws<T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void, numRuns = 60): void {
  expectSameSeedSameValue(arbitrary);
  fc.assert(
    fc.property(arbitrary, (value) => {
      holds(value);
    }),
    { seed, numRuns },
  );
  for (let walk = 0; walk < 3; walk += 1) expectShrinksHold(arbitrary, holds, walk);
}

function expectSameSeedSameValue<T>(arbitrary: fc.Arbitrary<T>): void {
  const sample = () => fc.stringify(fc.sample(arbitrary, { seed, numRuns: 5 }));
  if (sample() !== sample()) throw new Error('the same seed gave different values');
}

// A property that fails now and then leads fast-check down the tree of shrinks, and every candidate is looked at.
function expectShrinksHold<T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void, walk: number): void {
  let looked = 0;
  const faults: Error[] = [];
  const wanders = fc.property(arbitrary, (value) => {
    looked += 1;
    try {
      holds(value);
    } catch (cause) {
      faults.push(new Error(`a shrink does not hold: ${fc.stringify(value)}`, { cause }));
    }
    return looked > 60 || (looked > 1 && looked % (2 + walk) === 0);
  });
  fc.check(wanders, { seed: seed + walk, numRuns: 1 });
  if (faults[0] !== undefined) throw faults[0];
}
