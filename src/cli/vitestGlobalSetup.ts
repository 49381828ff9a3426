import type { TestProject } from 'vitest/node';
import { run } from '../run/run.ts';
import { answerTests } from '../show/bridge.ts';
import { processIo } from './processIo.ts';
import { readVariables } from '../settings/readText.ts';
import { rowsOf } from '../settings/row.ts';
import { agree, agreementTable } from './agreement.ts';
import { knownVariables } from './commands.ts';
import { readCheckedSettings } from './readSettings.ts';
import { noConfig } from '../settings/readConfig.ts';

/**
 * For plain `npx vitest`: a run of the engine that executes the checks selected by vitest's filters, with the settings of the
 * environment and the config file. The reports are written when vitest ends.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const channel = `gatecheck-${process.pid}`;
  project.provide('gatecheckChannel', channel);
  const io = processIo(() => undefined);
  const settings = await readCheckedSettings({ io, flags: noConfig, variables: knownVariables });
  const { yes = false } = readVariables(rowsOf(agreementTable), io).given;
  await agree(
    settings,
    { yes: yes === true, forecast: () => Promise.resolve(['the checks that are asked for']) },
    { ...io, ask: null },
  );
  const asking = Promise.withResolvers<null>();
  const nobodyAsks = asking.promise.then(() => undefined);
  const ready = Promise.withResolvers<null>();
  let stopAnswering: () => void = () => undefined;
  const running = run(settings, {
    onDemand: nobodyAsks,
    command: 'vitest',
    show: (session) => {
      stopAnswering = answerTests(channel, (check) => session.outcomeOf(check));
      ready.resolve(null);
      return nobodyAsks;
    },
  });
  // A run that cannot start rejects here, before any test waits for it.
  await Promise.race([ready.promise, running]);
  return async () => {
    asking.resolve(null);
    await running;
    stopAnswering();
  };
}
