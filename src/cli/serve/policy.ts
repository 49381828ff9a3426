import { createRandom, deriveSeed } from '../../core/random.ts';
import { suggest } from '../../core/suggest.ts';
import { type Defect, defects } from '../../reference/defects.ts';
import { type DialectPoint, dialectPoints } from '../../reference/dialects.ts';
import type { Policy } from '../../reference/policy.ts';
import { seed, textForm } from '../../settings/forms.ts';

/** `name=variant` of a point at which conforming deployments differ, or `random:SEED` for all of them. */
export function dialectForm(points: readonly DialectPoint[] = dialectPoints) {
  const parts = (text: string) => {
    const [name = '', ...rest] = text.split('=');
    const point = points.find((one) => one.name === name || one.openPoint === name);
    return { name, variant: rest.join('='), point };
  };
  return textForm<Partial<Policy>>({
    expected: (text) => {
      const { name, variant, point } = parts(text);
      if (isRandom(text)) return 'random: and a seed, such as random:7';
      if (point === undefined) return `name=variant or random:SEED${meant(name, points)}`;
      const variants = Object.keys(point.variants);
      return `one of ${variants.map((one) => `${name}=${one}`).join(', ')}${suggest(variant, variants)}`;
    },
    read: (text) => {
      if (isRandom(text)) return randomDialect(text.slice('random:'.length), points);
      const { variant, point } = parts(text);
      return point && Object.hasOwn(point.variants, variant) ? point.variants[variant] : undefined;
    },
  });
}

/** The id of one seeded mistake. */
export function defectForm(known: readonly Defect[] = defects) {
  return textForm<Defect>({
    expected: (text) =>
      `the id of a defect${
        suggest(
          text,
          known.map(({ id }) => id),
        ) || ', of those that --list-defects lists'
      }`,
    read: (text) => known.find(({ id }) => id === text),
  });
}

function isRandom(text: string): boolean {
  return text.startsWith('random:');
}

function randomDialect(text: string, points: readonly DialectPoint[]): Partial<Policy> | undefined {
  const own = /^\d{1,16}$/.test(text) ? seed.safeParse(Number(text)).data : undefined;
  if (own === undefined) return undefined;
  const random = createRandom(deriveSeed(own, 'dialect'));
  const chosen = points.map(({ variants }) => {
    const all = Object.values(variants);
    return all[Math.floor(random() * all.length)] ?? {};
  });
  return Object.assign({}, ...chosen) as Partial<Policy>;
}

function meant(name: string, points: readonly DialectPoint[]): string {
  const names = points.flatMap((one) => (one.openPoint === null ? [one.name] : [one.name, one.openPoint]));
  // `rndom:7` is no point either.
  const random = name.replace(/^[^:]*(?=:)/, 'random');
  return (
    suggest(name, name.includes(':') ? [...names, random] : names) || ', of those that --list-dialects lists'
  );
}
