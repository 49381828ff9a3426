import { z } from 'zod';
import type { Policy } from '../../reference/policy.ts';
import { limitPair, offset, path, port, seed, words, textForm } from '../../settings/forms.ts';
import { refuseProblems } from '../../settings/problem.ts';
import { row, type ValuesOf } from '../../settings/row.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import { suggest } from '../../core/suggest.ts';
import { defects, type Defect } from '../../reference/defects.ts';
import { dialectPoints, type DialectPoint } from '../../reference/dialects.ts';

/** The options of `serve`, each with the variable for a container. */
export const serveTable = {
  port: row({
    form: port,
    default: 8080,
    flag: '--port <n>',
    variable: 'GATECHECK_SERVE_PORT',
    help: 'port to listen on, 0 for a free one',
    example: 8080,
  }),
  host: row({
    form: words,
    default: '127.0.0.1',
    flag: '--host <name>',
    variable: 'GATECHECK_SERVE_HOST',
    help: 'address to listen on',
  }),
  stateHandler: row({
    form: z.boolean(),
    default: false,
    flag: '--state-handler',
    variable: 'GATECHECK_SERVE_STATE_HANDLER',
    help: 'offer the state handler, on /_state',
    usual: 'off',
  }),
  dialects: row({
    form: z.array(dialectForm()),
    default: [],
    flag: '--dialect <choice>',
    variable: 'GATECHECK_SERVE_DIALECT',
    help: 'name=variant of an open point, or random:SEED',
  }),
  defects: row({
    form: z.array(defectForm()),
    default: [],
    flag: '--defect <id>',
    variable: 'GATECHECK_SERVE_DEFECT',
    help: 'make a seeded mistake',
  }),
  envFile: row({
    form: path,
    default: null,
    flag: '--env <file>',
    help: 'write the variables for another terminal into this file: source FILE, then gatecheck run',
  }),
  listDefects: row({
    form: z.boolean(),
    default: false,
    flag: '--list-defects',
    help: 'print every seeded mistake, and start nothing',
  }),
  listDialects: row({
    form: z.boolean(),
    default: false,
    flag: '--list-dialects',
    help: 'print every point at which conforming servers differ, with its variants, and start nothing',
  }),
  limits: row({
    form: limitPair,
    default: { perMinute: 60, perHour: 1000 },
    flag: '--limits <n/n>',
    variable: 'GATECHECK_SERVE_LIMITS',
    help: 'requests a minute and an hour',
    usual: '60/1000',
  }),
  seed: row({
    form: seed,
    default: 1,
    flag: '--seed <n>',
    variable: 'GATECHECK_SERVE_SEED',
    help: 'seed of keys and ids',
    usual: '1, so that a restart keeps the keys',
    example: 42,
  }),
  clockOffsetMs: row({
    form: offset,
    default: 0,
    flag: '--clock-offset <time>',
    variable: 'GATECHECK_SERVE_CLOCK_OFFSET',
    help: "how far the sandbox's clock is off, such as 2h or -90s",
    usual: '0s',
  }),
};

export type ServeSettings = ValuesOf<typeof serveTable>;

/** The policy of all dialects and defects together; two defects that need the same point are refused. */
export function servedPolicy({
  dialects,
  defects,
}: Pick<ServeSettings, 'dialects' | 'defects'>): Partial<Policy> {
  const points = new Set(defects.flatMap(({ policy }) => Object.keys(policy)));
  const groups = [...points].map((point) => defects.filter(({ policy }) => Object.hasOwn(policy, point)));
  // Two defects may meet at several points.
  const clashing = new Set(groups.filter(({ length }) => length > 1).map((group) => namesOf(group)));
  refuseProblems(
    [...clashing].map((names) => ({
      where: '--defect',
      fault: `expected defects at different points; got ${names} at the same`,
    })),
  );
  return Object.assign({}, ...dialects, ...defects.map(({ policy }) => policy)) as Partial<Policy>;
}

/** `a, b and c` */
function namesOf(defects: readonly { readonly id: string }[]): string {
  return defects
    .map(({ id }) => id)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');
}

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
