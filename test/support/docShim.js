// Stands for `npx` and `gatecheck` where the docs are run line by line: starts the program, notes its exit code, and ends what waits for
// Ctrl-C once it stands. Only a sandbox goes on in the background, until the next one or the end of the page.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [program, folder, ...words] = process.argv.slice(2);
const args = words[0] === 'gatecheck' ? words.slice(1) : words;
/** What each of them says once it stands. */
const standing = {
  serve: /Ctrl-C stops it/,
  sink: /Ctrl-C stops it/,
  proxy: /Ctrl-C ends it/,
  monitor: /musts judged|could not judge/,
  dev: /waiting for the server to restart/,
};
const patienceMs = 120_000;
const sandbox = join(folder, 'sandbox.pid');

const says = standing[args[0]];
if (words[0] !== args[0] && words[0] !== 'gatecheck') note('not gatecheck');
else if (says === undefined || args.some((word) => word.startsWith('--list-')))
  note(await ended(start('inherit')));
else await stand();

function start(output) {
  const stdio = ['ignore', output, output];
  return spawn(process.execPath, [program, ...args], {
    stdio,
    detached: output !== 'inherit',
    env: environment(),
  });
}

/** The environment that the docs take for granted; a state handler, so that no limit has to be waited for. What goes on with a run has its target. */
function environment() {
  const { STAGED_HANDLER, STAGED_TARGET, ...env } = process.env;
  const goesOn = args[0] === 'replay' || args.some((word) => /^--(only-failed|resume)\b/.test(word));
  const target = goesOn ? {} : { GATECHECK_TARGET: STAGED_TARGET };
  return { GATECHECK_STATE_HANDLER: STAGED_HANDLER, ...target, ...env };
}

async function stand() {
  if (args[0] === 'serve') endSandbox();
  const log = join(folder, 'standing.log');
  writeFileSync(log, '');
  const file = openSync(log, 'a');
  const child = start(file);
  closeSync(file);
  const end = ended(child);
  const begun = Date.now();
  while (!says.test(readFileSync(log, 'utf8')) && child.exitCode === null && Date.now() - begun < patienceMs)
    await sleep(50);
  process.stdout.write(readFileSync(log, 'utf8'));
  if (args[0] === 'serve' && child.exitCode === null) {
    writeFileSync(sandbox, String(child.pid));
    note('stands');
    process.exit(0);
  }
  const stood = says.test(readFileSync(log, 'utf8'));
  child.kill('SIGINT');
  const code = await end;
  note(stood ? `${code} after Ctrl-C` : `${code} without standing`);
}

function endSandbox() {
  if (!existsSync(sandbox)) return;
  try {
    process.kill(Number(readFileSync(sandbox, 'utf8')), 'SIGINT');
  } catch {
    // The page has ended it.
  }
  rmSync(sandbox);
}

function ended(child) {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
}

function note(how) {
  appendFileSync(join(folder, 'codes.txt'), `${how}: ${args.join(' ')}\n`);
}
