import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import { matches } from '../catalogue/pattern.ts';
import type { Settings } from '../core/settings.ts';
import type { Capability, Check } from './check.ts';
import { type Problem, problemsError } from '../settings/problem.ts';
import { suggest } from '../core/suggest.ts';
import { quote } from '../settings/quote.ts';

type CheckNames = Pick<Check, 'id' | 'tags'>;

/** Refuses names of things that do not exist: a pattern of `--only`, a capability, an open point or its variant. */
export function validateSelection(
  { only, openPoints, require }: Pick<Settings, 'only' | 'openPoints' | 'require'>,
  catalogue: Catalogue,
  checks: readonly CheckNames[],
): void {
  const names = selectableNames(catalogue, checks);
  const problems = [
    ...only.flatMap((pattern) => strayPattern(pattern, names)),
    ...require.flatMap(strayCapability),
    ...Object.entries(openPoints).flatMap(([id, variant]) => strayPin(id, variant, catalogue)),
  ];
  if (problems.length > 0) throw problemsError(problems);
}

/** Every id and tag that `--only` can match. */
function selectableNames(catalogue: Catalogue, checks: readonly CheckNames[]): readonly string[] {
  const rows = [...catalogue.requirements, ...catalogue.openPoints].map(({ id }) => id);
  return [...new Set([...rows, ...checks.flatMap(({ id, tags }) => [id, ...tags])])];
}

function strayPattern(pattern: string, names: readonly string[]): readonly Problem[] {
  if (names.some((name) => matches(pattern, name))) return [];
  const meant = suggest(pattern, names) || '; `gatecheck requirements` lists them';
  return [{ where: '--only', fault: `no such requirement, check or tag as ${quote(pattern)}${meant}` }];
}

/** Every capability except those of the state handler; the type ensures that none is missing. */
const capabilities: Readonly<Record<Exclude<Capability, `state:${string}`>, true>> = {
  'second-key': true,
  'other-enterprise': true,
  'revoked-key': true,
  'disabled-key': true,
  'no-entitlement-key': true,
  'suspended-key': true,
  'exhausted-key': true,
  writes: true,
  quota: true,
  subscriptions: true,
  'known-flight': true,
  sink: true,
  'public-sink': true,
  'raw-http': true,
  'real-time': true,
  watch: true,
  'fillable-limits': true,
  'limit-minute': true,
  'limit-hour': true,
};

function strayCapability(name: string): readonly Problem[] {
  if (Object.hasOwn(capabilities, name) || /^state:\w/.test(name)) return [];
  const known = Object.keys(capabilities);
  const meant = suggest(name, known) || `; expected one of ${known.join(', ')} or state:NAME`;
  return [{ where: '--require', fault: `no such capability as ${quote(name)}${meant}` }];
}

function strayPin(id: string, variant: string, { openPoints }: Catalogue): readonly Problem[] {
  const where = `openPoints.${id}`;
  const point = openPoints.find((one) => one.id === id);
  if (point === undefined) {
    return [
      {
        where,
        fault: `no such open point${suggest(
          id,
          openPoints.map((one) => one.id),
        )}`,
      },
    ];
  }
  const names = point.variants.map(({ name }) => name);
  if (names.includes(variant) || point.openEnded) return [];
  return [
    { where, fault: `expected one of ${names.join(', ')}${suggest(variant, names)}; got ${quote(variant)}` },
  ];
}
