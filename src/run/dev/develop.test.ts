import { expect, test } from 'vitest';
import { develop, type DevEvent, type DevRun, type DevStep } from './develop.ts';

/** A developer who waits until nothing is running before the next event, except for those marked as early. */
async function session(
  given: readonly (DevEvent | `early ${DevEvent}`)[],
  results: (step: DevStep, run: number) => Partial<DevRun> | 'never',
  failedBefore: readonly string[] = [],
) {
  const said: string[] = [];
  let runs = 0;
  let rested = Promise.withResolvers<null>();
  const events = [...given];
  await develop(
    {
      next: async () => {
        const event = events.shift() ?? 'quit';
        if (!event.startsWith('early ')) await rested.promise;
        rested = Promise.withResolvers<null>();
        return event.replace('early ', '') as DevEvent;
      },
      run: async (step, signal) => {
        runs += 1;
        said.push(`${step.name} ${step.only.join(' ')}`.trim());
        const result = results(step, runs);
        if (result === 'never')
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return { failed: [], isJudged: true, ...(result === 'never' ? {} : result) };
      },
      waiting: (failed, isJudged) => {
        said.push(isJudged ? `waits, ${failed.length} failed` : 'waits, undecided');
        rested.resolve(null);
      },
      open: () => {
        said.push('opens');
        rested.resolve(null);
        return Promise.resolve();
      },
      noneFailed: () => {
        said.push('none failed');
        rested.resolve(null);
      },
    },
    failedBefore,
  );
  return said;
}

test('what failed last is run first, then what is near it, then all', async () => {
  expect(await session([], () => ({}), ['WCI-UPD-034', 'WCI-UPD-003', 'FLA-SUB-001'])).toEqual([
    'failed WCI-UPD-034 WCI-UPD-003 FLA-SUB-001',
    'near WCI-UPD-* FLA-SUB-*',
    'all',
    'waits, 0 failed',
  ]);
});

test('a failure ends the round, and is what the next one begins with', async () => {
  const said = await session(['changed', 'changed', 'changed'], (_step, run) =>
    run < 3 ? { failed: ['WCI-STS-001'] } : {},
  );
  expect(said).toEqual([
    ...['all', 'waits, 1 failed'],
    ...['failed WCI-STS-001', 'waits, 1 failed'],
    ...['failed WCI-STS-001', 'near WCI-STS-*', 'all', 'waits, 0 failed'],
    ...['all', 'waits, 0 failed'],
  ]);
});

test('a change cuts the run short, and what it had not said counts for nothing', async () => {
  const said = await session(['early changed'], (_step, run) => (run === 1 ? 'never' : {}), ['WCI-STS-001']);
  expect(said).toEqual([
    'failed WCI-STS-001',
    ...['failed WCI-STS-001', 'near WCI-STS-*', 'all', 'waits, 0 failed'],
  ]);
});

test('a server out of reach leaves what is known as it is', async () => {
  const said = await session(['changed'], (_step, run) => ({ isJudged: run > 1 }), ['WCI-STS-001']);
  expect(said).toEqual([
    ...['failed WCI-STS-001', 'waits, undecided'],
    ...['failed WCI-STS-001', 'near WCI-STS-*', 'all', 'waits, 0 failed'],
  ]);
});

test('keys run all or what failed, and open the report', async () => {
  const said = await session(['failed', 'open', 'all', 'failed'], (_step, run) =>
    run === 1 ? { failed: ['FLA-GET-001'] } : {},
  );
  expect(said).toEqual([
    ...['all', 'waits, 1 failed'],
    ...['failed FLA-GET-001', 'waits, 0 failed'],
    'opens',
    ...['all', 'waits, 0 failed'],
    'none failed',
  ]);
});

test('asking for what failed where nothing did leaves what runs alone', async () => {
  const said = await session(['early failed', 'early all'], (_step, run) => (run === 1 ? 'never' : {}));
  expect(said).toEqual(['all', 'none failed', 'all', 'waits, 0 failed']);
});
