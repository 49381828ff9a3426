/**
 * Judges conforming servers by hand and prints what is blamed: `node test/frameworks/table.ts SET-UP CONVENTIONS…`, such as
 * `full spring plain+gzip=always switches random:20`. `switches` are all single choices beside the plainest.
 */
import { choices } from './conventions.ts';
import { complaintsOf, judged, setUps } from './judged.ts';
import { presets, switches } from './presets.ts';

/** A choice of each row with probability a half, the same for a number each time. */
function randomChoices(nth: number): string {
  let state = nth * 2_654_435_761;
  const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  for (let count = 0; count < 8; count += 1) next();
  const chosen = Object.entries(choices).flatMap(([name, values]) => {
    const isChosen = next() < 0.5;
    const value = values[1 + Math.floor(next() * (values.length - 1))];
    return isChosen ? [`${name}=${String(value)}`] : [];
  });
  return `plain+${chosen.join(',')}`;
}

function conventionsOf(name: string): string[] {
  if (name === 'presets') return Object.keys(presets);
  if (name === 'switches') return switches.map((change) => `plain+${change}`);
  const count = /^random:(\d+)$/.exec(name)?.[1];
  return count === undefined
    ? [name]
    : Array.from({ length: Number(count) }, (_, nth) => randomChoices(nth + 1));
}

const [given = '', ...names] = process.argv.slice(2);
const setUp = setUps.find((one) => one === given);
if (setUp === undefined || names.length === 0)
  throw new Error(`expected one of ${setUps.join(', ')}, then conventions`);
for (const conventions of names.flatMap(conventionsOf)) {
  const result = await judged(conventions, setUp);
  const { failed, warned, inconclusive } = result.summary;
  process.stdout.write(`${conventions}: ${failed} failed, ${warned} warned, ${inconclusive} undecided\n`);
  for (const complaint of complaintsOf(result)) process.stdout.write(`  ${complaint}\n`);
}
