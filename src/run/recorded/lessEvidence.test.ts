import { expect, test } from 'vitest';
import { ofRecordings, whileWritesStay, type Lessen } from '../../../test/laws/lessEvidence.ts';
import { recordReference, type RawTraffic } from '../../../test/support/recordReference.ts';
import { isDelivery, type Evidence } from '../../core/evidence.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import { WatchIndex } from '../../engine/watchIndex.ts';
import { samplesOf, type Oracle } from '../../judge/kernel/oracle.ts';
import { oracles } from '../../judge/oracles.ts';
import { randomAssignment } from '../prove/coveringArray.ts';
import { factors, policyOfJob } from '../prove/job.ts';
import { recordedOracles } from './recordedOracles.ts';

/*
 * The law against false alarms: whoever saw less of the same traffic, or saw it in another order, finds no rule broken
 * but those that the whole traffic shows broken.
 */

const seed = 20261127;
const randomDialect = (name: string) => randomAssignment(factors(), createRandom(deriveSeed(seed, name)));

test.each([
  { deployment: 'as documented', dialect: {}, defect: null },
  { deployment: 'of a random dialect', dialect: randomDialect('first'), defect: null },
  { deployment: 'of another dialect', dialect: randomDialect('second'), defect: null },
  { deployment: 'with a mistake', dialect: {}, defect: 'update-merges-fields' },
])(
  'less traffic of a deployment $deployment breaks no more rules',
  { timeout: 120_000 },
  async ({ dialect, defect }) => {
    const traffic = await recordReference(policyOfJob({ dialect, defect }));
    expect(brokenByLess(traffic, whileWritesStay, runOracles)).toEqual([]);
    expect(brokenByLess(traffic, ofRecordings, oraclesOfRecording)).toEqual([]);
  },
);

type Traffic = Pick<RawTraffic, 'evidence' | 'movedMs'>;

type OraclesFor = (trace: readonly Evidence[]) => readonly Oracle[];

const runOracles: OraclesFor = () => oracles;

const oraclesOfRecording: OraclesFor = (trace) => {
  const limited = recordedOracles(oracles);
  for (const evidence of trace)
    limited.add({ evidence, isOwn: false, isWhole: false, showsCredentials: true });
  return limited.oracles;
};

/** What the traffic shows broken only where some of it is missing. */
function brokenByLess(
  { evidence: whole, movedMs }: Traffic,
  kinds: Readonly<Record<string, Lessen>>,
  oraclesFor: OraclesFor,
): readonly string[] {
  const known = brokenIn({ evidence: whole, movedMs }, oraclesFor);
  return Object.entries(kinds).flatMap(([name, lessen]) => {
    const less = lessen(whole, createRandom(deriveSeed(seed, name)));
    const broken = [...brokenIn({ evidence: less, movedMs }, oraclesFor)].filter(
      ([rule]) => !known.has(rule),
    );
    return broken.map(([rule, why]) => `without ${name}: ${rule} ${why}`);
  });
}

/** What is broken, with what was seen of it first. */
function brokenIn(
  { evidence: trace, movedMs }: Traffic,
  oraclesFor: OraclesFor,
): ReadonlyMap<string, string> {
  const known = { movedMs: 0 };
  const watching = oraclesFor(trace).map((oracle) => ({ oracle, watch: oracle.createWatch(known) }));
  const index = new WatchIndex(watching);
  const samples = trace.flatMap((one) => {
    known.movedMs = movedMs.get(one.id) ?? known.movedMs;
    return (isDelivery(one) ? watching : index.of(one)).flatMap(({ watch }) => samplesOf(watch, one));
  });
  const all = [...samples, ...watching.flatMap(({ watch }) => watch.end?.() ?? [])];
  return new Map(
    all.flatMap(({ requirement, judgement }) =>
      judgement.status === 'violated'
        ? [[requirement, `${judgement.expected}; got ${judgement.actual}`] as const]
        : [],
    ),
  );
}
