import { z } from 'zod';
import { matches } from '../../catalogue/pattern.ts';
import { suggest } from '../../core/suggest.ts';
import { defects, type Defect } from '../../reference/defects.ts';
import { path, positiveShare, seed, textForm, whole, words } from '../../settings/forms.ts';
import { refuseProblems } from '../../settings/problem.ts';
import { fillIn, row, type ValuesOf } from '../../settings/row.ts';
import { profiles } from '../../core/settings.ts';
import { settingsTable } from '../../settings/table.ts';
import { setUps } from './setUp.ts';
import { wireTable } from './wire/wireSettings.ts';

/** Counts with commas between them, in rising order. */
const counts = textForm({
  expected: 'whole numbers from 1 in rising order, such as 60,300,1000',
  read: (text) => {
    const numbers = text.split(',').map(Number);
    const isRising = numbers.every((one, at) => Number.isInteger(one) && one > (numbers[at - 1] ?? 0));
    return isRising ? numbers : undefined;
  },
});

/** The options of `prove`. */
export const proofTable = {
  apis: { ...settingsTable.apis, help: 'defects of these APIs: webcheckin,flight-alerts' },
  only: settingsTable.only,
  defect: row({
    form: z.array(words),
    default: [],
    flag: '--defect <pattern>',
    help: 'only defects with these ids, * allowed, in the documented dialect',
    usual: 'all defects and dialects',
  }),
  row: row({
    form: z.array(words),
    default: [],
    flag: '--row <pattern>',
    help: 'only defects that break these requirements, by their ids, * allowed, in the documented dialect',
    usual: 'all defects and dialects',
  }),
  allDialects: row({
    form: z.boolean(),
    default: false,
    flag: '--all-dialects',
    help: 'with --defect or --row: judge all dialects as well',
  }),
  defects: row({ form: z.boolean(), default: true, flag: '--no-defects', help: 'judge the dialects alone' }),
  others: row({
    form: positiveShare,
    default: 1,
    flag: '--others <share>',
    help: 'with each defect: the share of the checks to run that concern none of its rows; all where it does not show so',
    usual: '100%',
    example: 25,
  }),
  draw: row({
    form: seed,
    default: null,
    flag: '--draw <n>',
    help: 'with --others and --sample: draws otherwise what is judged, and changes nothing else',
    usual: 'by --seed',
    example: 7,
  }),
  covering: row({
    form: z.boolean(),
    default: true,
    flag: '--no-covering',
    help: 'leave out the documented dialect and the pairwise covering array of all others',
  }),
  sample: row({
    form: positiveShare,
    default: 1,
    flag: '--sample <share>',
    help: 'the share of the dialects and of the defects to judge, beside the documented dialect',
    usual: '100%',
    example: 50,
  }),
  random: row({
    form: whole(),
    default: null,
    flag: '--random <n>',
    help: 'how many random dialects to judge as well',
    usual: '20; with --defect or --row: 0',
    example: 20,
  }),
  curve: row({
    form: z.boolean(),
    default: false,
    flag: '--curve',
    help: 'print instead which share of the defects is found within how many requests, with one key and no state handler',
  }),
  setUp: row({
    form: z.enum(setUps),
    default: null,
    flag: '--set-up <name>',
    help: `keys, state handler and callbacks that the user has: ${setUps.join(', ')}`,
    usual: 'embedded; each in turn for random dialects; --curve: one-key',
  }),
  profile: row({
    form: z.enum(profiles),
    default: 'standard',
    flag: '--profile <name>',
    help: `${profiles.join(', ')}; smoke shows what a minute's requests find`,
  }),
  maxRequests: row({
    form: whole(1),
    default: null,
    flag: '--max-requests <n>',
    help: 'requests for each deployment, not counting the limit checks',
    usual: '3000; smoke: 60; --curve: 1000',
    example: 3000,
  }),
  seed: row({
    form: seed,
    default: 1,
    flag: '--seed <n>',
    help: 'seed of the dialects and of each judgement',
    example: 42,
  }),
  threads: row({
    form: whole(1),
    default: null,
    flag: '--threads <n>',
    help: 'threads',
    usual: 'one for each core',
    example: 2,
  }),
  overHttp: row({
    form: z.boolean(),
    default: false,
    flag: '--over-http',
    help: 'send over real sockets and in real time',
  }),
  explore: row({
    form: z.boolean(),
    default: false,
    flag: '--explore',
    help: 'print instead how many of the defects the explorer notices, without any suite, and what it leaves to the suites',
  }),
  requests: row({
    form: counts,
    default: [60, 300, 1000],
    flag: '--requests <list>',
    help: 'with --explore: with how many requests, the fewest first',
    example: [60, 300, 1000, 3000],
  }),
  ...wireTable,
  reportDir: row({
    form: path,
    default: null,
    flag: '--report-dir <dir>',
    help: 'where the matrix goes',
    usual: 'reports/prove',
  }),
};

type ProofValues = ValuesOf<typeof proofTable>;

/** What a proof covers. */
export interface ProofSettings extends Pick<
  ProofValues,
  | 'apis'
  | 'only'
  | 'profile'
  | 'maxRequests'
  | 'seed'
  | 'threads'
  | 'overHttp'
  | 'curve'
  | 'others'
  | 'draw'
  | 'sample'
  | 'setUp'
> {
  /** The conforming deployments in addition to random ones: all of the covering array, or the documented one. */
  readonly dialects: 'all' | 'documented' | 'none';
  readonly randomDialects: number;
  readonly defects: readonly Defect[];
}

/** The settings of a proof; throws one usage error for patterns that match no defect. */
export function proofOf(values: Partial<ProofValues> = {}): ProofSettings {
  const given = { ...fillIn(proofTable, {}), ...values };
  const {
    apis,
    only,
    profile,
    maxRequests,
    seed: own,
    threads,
    overHttp,
    curve,
    others,
    draw,
    sample,
    setUp,
  } = given;
  const isWhole = (given.defect.length === 0 && given.row.length === 0) || given.allDialects;
  return {
    ...{ apis, only, profile, seed: own, threads, overHttp, curve, others, draw, setUp, sample },
    maxRequests: maxRequests ?? (profile === 'smoke' ? null : curve ? 1000 : 3000),
    dialects: given.covering ? (isWhole ? 'all' : 'documented') : 'none',
    randomDialects: given.random ?? (isWhole ? 20 : 0),
    defects: given.defects ? chosen(given) : [],
  };
}

/** Refuses a set-up that would not be heeded. */
export function refuseIdleSetUp(values: ProofValues, isOnTarget: boolean): void {
  const { setUp, curve } = values;
  if (setUp === null) return;
  const reasons = [
    [curve, '--curve, which is that of a user with one key'],
    [isOnTarget, '--target, whose keys and state handler are given'],
  ] as const;
  refuseProblems(
    reasons.flatMap(([isIdle, other]) =>
      isIdle ? [{ where: '--set-up', fault: `expected it without ${other}; got both` }] : [],
    ),
  );
}

/** The defects with the ids, and those that break the requirements; all if neither is given. */
function chosen({ defect, row: rows }: Pick<ProofValues, 'defect' | 'row'>): readonly Defect[] {
  const ids = defects.map(({ id }) => id);
  const broken = [...new Set(defects.flatMap(brokenBy))];
  refuseProblems([
    ...straysOf(defect, ids).map((pattern) => ({
      where: '--defect',
      fault: `no defect has an id like ${pattern}${suggest(pattern, ids) || '; `gatecheck serve --list-defects` lists them'}`,
    })),
    ...straysOf(rows, broken).map((pattern) => ({
      where: '--row',
      fault: `no defect breaks a requirement like ${pattern}${suggest(pattern, broken)}`,
    })),
  ]);
  if (defect.length === 0 && rows.length === 0) return defects;
  const isAmong = (patterns: readonly string[]) => (id: string) =>
    patterns.some((pattern) => matches(pattern, id));
  return defects.filter((one) => isAmong(defect)(one.id) || brokenBy(one).some(isAmong(rows)));
}

function brokenBy({ kills, alsoFail }: Defect): readonly string[] {
  return [...kills, ...alsoFail];
}

function straysOf(patterns: readonly string[], ids: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => !ids.some((id) => matches(pattern, id)));
}
