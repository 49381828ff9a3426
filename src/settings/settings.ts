import { randomInt } from 'node:crypto';
import type { Settings } from '../core/settings.ts';
import { conflicts } from './conflicts.ts';
import { withEarlier, type EarlierTarget } from './earlierTarget.ts';
import { largestSeed } from './forms.ts';
import { refuseProblems } from './problem.ts';
import type { Layer } from './readText.ts';
import { fillIn } from './row.ts';
import { settingsTable } from './table.ts';
import { resolveTarget, targetProblems } from './target.ts';
import { unnamedTarget } from './unnamedTarget.ts';

/** The three sources of settings. */
interface Sources {
  readonly flags: Layer;
  readonly environment: Layer;
  readonly config: Layer;
  /** The target of an earlier run that the command names; by default none. */
  readonly earlier?: EarlierTarget | null;
  /** By default false. */
  readonly isInCi?: boolean;
  /** No target is needed; by default it is. */
  readonly sendsNothing?: boolean;
}

/**
 * Merges the sources, command line over environment over file, and fills in every default. Throws one usage error that lists all
 * problems.
 */
export function normalizeSettings(
  { flags, environment, config, earlier = null, isInCi = false, sendsNothing = false }: Sources,
  randomSeed: () => number = () => randomInt(largestSeed),
): Settings {
  const layers = [config, environment, flags];
  refuseProblems([
    ...layers.flatMap(({ problems }) => problems),
    ...targetProblems(flags.given, '--target, --image'),
    ...targetProblems(config.given, 'image'),
  ]);
  const given = Object.assign({}, ...layers.map((layer) => layer.given)) as Layer['given'];
  const { sources, problems } = withEarlier([flags.given, environment.given, config.given], earlier);
  refuseProblems(problems);
  const { target, image, baseUrls, ...values } = fillIn(settingsTable, given);
  const { url, auth } = values.stateHandler;
  const settings: Settings = {
    ...values,
    seed: values.seed ?? randomSeed(),
    target: resolveTarget(sources),
    stateHandler: url === null ? null : { url, auth },
  };
  const unnamed = sendsNothing ? [] : unnamedTarget(sources, isInCi);
  refuseProblems([...unnamed, ...conflicts(settings, sources)]);
  return settings;
}
