import { expect, test } from 'vitest';
import { besideSteps, ofRecordings, whileWritesStay, type Lessen } from '../../../test/laws/lessEvidence.ts';
import { recordReference, type RawTraffic } from '../../../test/support/recordReference.ts';
import { isDelivery } from '../../core/evidence.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import { WatchIndex } from '../../engine/observe/countedAnswers.ts';
import { defects } from '../../reference/defects.ts';
import { samplesOf, type Oracle } from '../../judge/kernel/oracle.ts';
import { oracles } from '../../judge/oracles.ts';
import { randomAssignment } from '../prove/coveringArray.ts';
import { factors, policyOfJob } from '../prove/job.ts';
import { isNote, type Evidence } from '../../trace/evidence.ts';
import { wordsOf } from '../../spec/wording/words.ts';
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
    const { evidence, trace, movedMs } = await recordReference(policyOfJob({ dialect, defect }));
    const traffic = { evidence, movedMs, mistaken: rowsOf(defect) };
    expect(brokenByLess(traffic, whileWritesStay, runOracles)).toEqual([]);
    expect(brokenByLess({ ...traffic, evidence: trace }, besideSteps, runOracles)).toEqual([]);
    expect(brokenByLess(traffic, ofRecordings, oraclesOfRecording)).toEqual([]);
  },
);

interface Traffic extends Pick<RawTraffic, 'movedMs'> {
  readonly evidence: readonly Evidence[];
  /** The rows that its deployment does break. */
  readonly mistaken: readonly string[];
}

function rowsOf(id: string | null): readonly string[] {
  const defect = defects.find((one) => one.id === id);
  return defect ? [...defect.kills, ...defect.alsoFail] : [];
}

type OraclesFor = (trace: readonly Evidence[]) => readonly Oracle[];

const runOracles: OraclesFor = () => oracles;

const oraclesOfRecording: OraclesFor = (trace) => {
  const limited = recordedOracles(oracles);
  for (const evidence of trace)
    limited.add({ evidence, isOwn: false, isWhole: false, showsCredentials: true });
  return limited.oracles;
};

/** What the traffic shows broken only where some of it is missing, and wrongly; with less to go by, another sentence may be named for it. */
function brokenByLess(
  { evidence: whole, movedMs, mistaken }: Traffic,
  kinds: Readonly<Record<string, Lessen>>,
  oraclesFor: OraclesFor,
): readonly string[] {
  const seen = brokenIn({ evidence: whole, movedMs }, oraclesFor);
  const known = new Set([...mistaken, ...seen.flatMap(({ rule, place }) => [rule, place])]);
  return Object.entries(kinds).flatMap(([name, lessen]) => {
    const less = lessen(whole, createRandom(deriveSeed(seed, name)));
    const broken = brokenIn({ evidence: less, movedMs }, oraclesFor).filter(
      ({ rule, place }) => !known.has(rule) && !known.has(place),
    );
    return broken.map(({ rule, why }) => `without ${name}: ${rule} ${why}`);
  });
}

interface Broken {
  readonly rule: string;
  /** What shows it, and as what. */
  readonly place: string;
  readonly why: string;
}

function brokenIn(
  { evidence: trace, movedMs }: Omit<Traffic, 'mistaken'>,
  oraclesFor: OraclesFor,
): readonly Broken[] {
  const known = { movedMs: 0 };
  const watching = oraclesFor(trace).map((oracle) => ({ oracle, watch: oracle.createWatch(known) }));
  const index = new WatchIndex(watching);
  const all = trace.flatMap((one) => {
    if (isNote(one)) {
      if (one.type === 'step') known.movedMs = one.movedMs;
      for (const { watch } of watching) watch.note?.(one);
      return [];
    }
    known.movedMs = movedMs.get(one.id) ?? known.movedMs;
    const asked = isDelivery(one) ? watching : index.of(one);
    const samples = asked.flatMap(({ watch }) => samplesOf(watch, one));
    return samples.map((sample) => ({ sample, shown: sample.evidence?.[0] ?? one }));
  });
  const last = watching.flatMap(({ watch }) => watch.end?.() ?? []);
  const late = last.map((sample) => ({ sample, shown: sample.evidence?.[0] }));
  return [...all, ...late].flatMap(({ sample: { requirement: rule, judgement }, shown }) =>
    judgement.status === 'violated'
      ? [
          {
            ...{ rule, place: `${judgement.code} ${shown?.id}` },
            why: Object.values(wordsOf(judgement)).join('; got '),
          },
        ]
      : [],
  );
}
