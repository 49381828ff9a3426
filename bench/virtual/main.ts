import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cases } from './cases.ts';
import { runCase, type Ran } from './virtualRun.ts';

// `npm run bench:forecasts [-- NAME…]`: how long runs take by the server and by the keys, and how true their forecasts are, in virtual
// time: what a server takes is known, and what this machine takes does not count. `--verbose` prints what the runs said, and
// `--keep FOLDER` writes their events.

const { values, positionals } = parseArgs({
  options: { verbose: { type: 'boolean', default: false }, keep: { type: 'string' } },
  allowPositionals: true,
});

process.stdout.write(
  '| case | took | header | foretold at a tenth, two tenths … | requests | musts judged |\n' +
    '| --- | --- | --- | --- | --- | --- |\n',
);
for (const one of cases.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const ran = await runCase(one);
  const { header, live } = foretold(ran);
  const sent = ran.events.filter(({ event }) => event.name === 'exchange').length;
  const cells = [
    one.title,
    `${seconds(ran.ms)} s`,
    header,
    live.join(' '),
    sent.toLocaleString('en'),
    judged(ran),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  if (values.verbose) for (const line of said(ran)) process.stdout.write(`  ${line}\n`);
  if (values.keep !== undefined)
    writeFileSync(
      `${values.keep}/${one.name}.json`,
      JSON.stringify(ran.events.map(({ at, event }) => ({ at, ...event }))),
    );
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}

/** What the header says that the run takes, and what the live line does at each tenth of it: elapsed and left. */
function foretold({ ms, events }: Ran): { readonly header: string; readonly live: readonly string[] } {
  const started = events.find(({ event }) => event.name === 'run-started');
  if (started?.event.name !== 'run-started') return { header: 'none', live: [] };
  let told = { leftMs: started.event.forecastMs, at: started.at };
  const live: string[] = [];
  const marks = Array.from({ length: 9 }, (_, index) => (ms * (index + 1)) / 10);
  const wholeAt = (now: number) => now + Math.max(0, told.leftMs - (now - told.at));
  for (const { at, event } of events) {
    while (at > (marks[live.length] ?? Number.POSITIVE_INFINITY))
      live.push(seconds(wholeAt(marks[live.length] ?? 0)));
    if (event.name === 'forecast') told = { leftMs: event.leftMs, at };
  }
  return { header: `${seconds(started.event.forecastMs)} s`, live };
}

function judged({ verdicts }: Ran): string {
  const musts = [...verdicts].filter(([{ level }]) => level === 'must');
  const known = musts.filter(([, { status }]) => status === 'pass' || status === 'fail');
  const others = musts.filter(([, { status }]) => status === 'warn' || status === 'inconclusive');
  return [
    `${known.length} of ${musts.length}`,
    ...others.map(([{ id }, { status }]) => `${id} ${status}`),
  ].join(', ');
}

function said({ events, late }: Ran): readonly string[] {
  const notices = events.flatMap(({ at, event }) =>
    event.name === 'notice' ? [`${seconds(at)} s: ${event.text}`] : [],
  );
  return late === null ? notices : [...notices, late];
}
