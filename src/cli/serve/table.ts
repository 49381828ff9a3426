import { z } from 'zod';
import type { Policy } from '../../reference/policy.ts';
import { limitPair, offset, path, port, seed, words } from '../../settings/forms.ts';
import { refuseProblems } from '../../settings/problem.ts';
import { row, type ValuesOf } from '../../settings/row.ts';
import { defectForm, dialectForm } from './policy.ts';

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
  const clashes = defects.flatMap(({ id, policy }, index) =>
    defects
      .slice(0, index)
      .filter((earlier) => Object.keys(policy).some((point) => Object.hasOwn(earlier.policy, point)))
      .map((earlier) => ({
        where: '--defect',
        fault: `expected defects at different points; got ${earlier.id} and ${id} at the same`,
      })),
  );
  refuseProblems(clashes);
  return Object.assign({}, ...dialects, ...defects.map(({ policy }) => policy)) as Partial<Policy>;
}
