import { expect, test } from 'vitest';
import { startReference } from '../src/reference/startReference.ts';
import { gatecheck } from './support/gatecheck.ts';
import { resultOf } from './support/writtenResult.ts';

/** Findings that rest on what other checks of their run showed of the deployment. */
test.each([
  ['update-merges-fields', 'WCI-UPD-027'],
  ['update-pnr-keeps-first-passenger', 'WCI-UPD-036'],
])('what %s breaks fails again, each time, until it is mended', async (defect, requirement) => {
  await using bad = await startReference({ defects: [defect] });
  await using good = await startReference();
  const given = ({ url, stateHandlerUrl, keys }: typeof bad) => ({
    GATECHECK_TARGET: url,
    GATECHECK_STATE_HANDLER: stateHandlerUrl ?? '',
    GATECHECK_KEYS_PRIMARY: keys.primary.join(','),
    GATECHECK_KEYS_OTHER: keys.other.join(','),
  });
  const ended = await gatecheck(['run', '--only', 'WCI-UPD-*', '--report-dir', 'out'], { env: given(bad) });
  const finding = resultOf(ended).findings.find((one) => one.requirement === requirement);
  const replay = (server: typeof bad) =>
    gatecheck(
      ['replay', finding?.fingerprint ?? '', '--from', `${ended.folder}/out`, '--target', server.url],
      {
        env: given(server),
      },
    );
  for (let time = 0; time < 2; time += 1) {
    const again = await replay(bad);
    expect([again.code, again.stdout.slice(0, 5)], again.stdout + again.stderr).toEqual([1, 'FAILS']);
  }
  const mended = await replay(good);
  expect([mended.code, mended.stdout.slice(0, 5)], mended.stdout + mended.stderr).toEqual([0, 'FIXED']);
});
