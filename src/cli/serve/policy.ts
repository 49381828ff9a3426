import { createRandom, deriveSeed } from '../../core/random.ts';
import { type Defect, defects } from '../../reference/defects.ts';
import { type DialectPoint, dialectPoints } from '../../reference/dialects.ts';
import type { Policy } from '../../reference/policy.ts';
import { suggest } from '../../settings/suggest.ts';
import { parseSeed } from '../../settings/values/number.ts';
import { accept, type Parsed, refuse } from '../../settings/values/parsed.ts';

/** `name=variant` of a point at which conforming deployments differ, or `random:SEED` for all of them. */
export function parseDialect(
  text: string,
  points: readonly DialectPoint[] = dialectPoints,
): Parsed<Partial<Policy>> {
  const seed = /^random:(.*)$/s.exec(text)?.[1];
  if (seed !== undefined) return randomDialect(seed, points);
  const [name = '', ...rest] = text.split('=');
  const variant = rest.join('=');
  const point = points.find((one) => one.name === name || one.openPoint === name);
  if (point === undefined) return refuse(`name=variant or random:SEED${knownNames(name, points)}`, text);
  const policy = Object.hasOwn(point.variants, variant) ? point.variants[variant] : undefined;
  if (policy !== undefined) return accept(policy);
  const variants = Object.keys(point.variants);
  return refuse(
    `one of ${variants.map((one) => `${name}=${one}`).join(', ')}${suggest(variant, variants)}`,
    text,
  );
}

/** Several of them, with commas between. */
export function parseDialects(text: string): Parsed<readonly Partial<Policy>[]> {
  const parsed = text.split(',').map((one) => parseDialect(one.trim()));
  const values = parsed.flatMap((one) => (one.ok ? [one.value] : []));
  return parsed.find((one) => !one.ok) ?? accept(values);
}

/** The id of one seeded mistake. */
export function parseDefect(text: string, known: readonly Defect[] = defects): Parsed<Partial<Policy>> {
  const defect = known.find(({ id }) => id === text);
  if (defect !== undefined) return accept(defect.policy);
  const ids = known.map(({ id }) => id);
  const meant = suggest(text, ids) || `, one of ${ids.join(', ')}`;
  return refuse(`the id of a defect${ids.length === 0 ? ', of which there are none yet' : meant}`, text);
}

function randomDialect(text: string, points: readonly DialectPoint[]): Parsed<Partial<Policy>> {
  const seed = parseSeed(text);
  if (!seed.ok) return seed;
  const random = createRandom(deriveSeed(seed.value, 'dialect'));
  const chosen = points.map(({ variants }) => {
    const all = Object.values(variants);
    return all[Math.floor(random() * all.length)] ?? {};
  });
  return accept(Object.assign({}, ...chosen) as Partial<Policy>);
}

function knownNames(name: string, points: readonly DialectPoint[]): string {
  const names = points.map((point) => point.name);
  return suggest(name, names) || (names.length === 0 ? '' : ` with a name of ${names.join(', ')}`);
}
