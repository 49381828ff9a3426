import { expect, test } from 'vitest';
import { complaintsOf, judged } from './frameworks/judged.ts';
import { presets } from './frameworks/presets.ts';

// They mostly wait for what comes late.
test.concurrent.each(Object.keys(presets))(
  'a server with the conventions of %s is found conforming with all means, and in a minute with few',
  async (preset) => {
    const [full, smoke] = await Promise.all([judged(preset, 'full'), judged(preset, 'smoke')]);
    expect(complaintsOf(full)).toEqual([]);
    expect(complaintsOf(smoke)).toEqual([]);
    expect(full.summary.coverage.must.judged).toBeGreaterThan(510);
  },
  900_000,
);
