import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { deriveSeed } from '../../core/random.ts';
import type { Known } from '../../judge/kernel/oracle.ts';
import { oracles } from '../../judge/oracles.ts';
import { wholeLoad } from '../../judge/wholeLoad.ts';
import { eventLoopBusy, JudgeShare } from './judgeShare.ts';
import type { PartSetup } from '../processes/parts.ts';
import { RateCurve, stagesOf } from '../plan/shape.ts';
import { KeyRing, type ApiKey } from '../../send/keyRing.ts';
import { FindingMaker } from '../../engine/findings/findings.ts';
import { heldKeys } from '../../engine/observe/runObservations.ts';
import { LoadJudge } from './loadJudge.ts';
import type { OpenRun } from '../../engine/session/openRun.ts';
import type { Target } from '../../target/target.ts';
import { SecretWatch } from '../../engine/observe/secretWatch.ts';

interface LoadJudging {
  /** Share of the answers to reads that is judged; null for all as long as there is time. */
  readonly share: number | null;
  readonly rateAt: (monotonic: number) => number;
  /** Whether this process sees the whole of the load; one of several workers does not. */
  readonly ofWhole?: boolean;
  /** Whether this process sends all of the load; false where left out. */
  readonly isOnlySender?: boolean;
  /** Whether nobody but this process subscribes for an enterprise; false where left out. */
  readonly isAlone?: (enterprise: string) => boolean;
  /** How far the state handler moved the deployment's clock. */
  readonly known: Known;
}

/** What of a run its judge looks at. */
type JudgedRun = Pick<OpenRun, 'settings' | 'clock' | 'redactor'> & { readonly target: Pick<Target, 'keys'> };

/** A judge for the part of a load that one of several senders sends: rules that need the answers of all are not judged here. */
export function judgePart(
  run: Pick<JudgedRun, 'settings' | 'clock' | 'redactor'>,
  { plan, judgeShare, material }: PartSetup,
  { keys, startedAt }: { readonly keys: readonly ApiKey[]; readonly startedAt: () => number },
): LoadJudge {
  const curve = new RateCurve(stagesOf(plan));
  const ring = KeyRing.of({ primary: keys.map(({ value }) => value), other: [], special: {} });
  const settings = { ...run.settings, seed: plan.seed };
  const judge = judgeLoad(
    { ...run, settings, target: { keys: ring } },
    {
      share: judgeShare,
      known: { movedMs: material.movedMs ?? 0 },
      ofWhole: false,
      rateAt: (at) => curve.rateAt(at - startedAt()) || plan.ratePerSecond,
    },
  );
  judge.begin();
  return judge;
}

/** A judge for the load of a run: the oracles of every run, and those that look at the whole. */
export function judgeLoad(
  run: JudgedRun,
  { share, rateAt, known, ofWhole = true, isOnlySender = false, isAlone = () => false }: LoadJudging,
): LoadJudge {
  const { settings, clock, redactor, target } = run;
  const catalogue = loadCatalogue();
  const secrets = new SecretWatch(redactor, target.keys, settings);
  return new LoadJudge({
    ...{ catalogue, rateAt },
    known: {
      limits: settings.limits,
      get movedMs() {
        return known.movedMs;
      },
    },
    // Whoever asks for no judgement gets none, not even of what is sent at rest.
    oracles:
      share === 0
        ? []
        : oracles.filter(({ needs }) => needs === undefined || (needs === 'writes' && isOnlySender)),
    wholeOracles: share === 0 || !ofWhole ? [] : [wholeLoad(isAlone)],
    maker: new FindingMaker({ catalogue, redactor, seed: settings.seed, heldKeys: heldKeys(settings) }),
    share: new JudgeShare({
      ...{ clock, fixed: share, busy: eventLoopBusy() },
      seed: deriveSeed(settings.seed, 'load/judge'),
    }),
    learn: (exchange) => secrets.observe(exchange),
    now: () => clock.monotonic(),
  });
}
