import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ContainerLog, settle } from './startContainer.ts';

test('lines are told apart by container and keep the time at which they ended', async () => {
  let now = 0;
  const log = new ContainerLog(() => now);
  const [web, db] = [new PassThrough(), new PassThrough()];
  log.follow('web', web);
  log.follow('db', db);
  const write = async (output: PassThrough, text: string, at: number) => {
    now = at;
    output.write(text);
    await new Promise(setImmediate);
  };
  await write(web, 'one\r\ntw', 1);
  await write(db, 'ready\n', 2);
  await write(web, 'o\nlast', 3);
  web.end();
  await settle(web, 1000);
  expect(log.lines).toEqual([
    { at: 1, container: 'web', text: 'one' },
    { at: 2, container: 'db', text: 'ready' },
    { at: 3, container: 'web', text: 'two' },
    { at: 3, container: 'web', text: 'last' },
  ]);
  expect(log.tail('web', 2)).toEqual(['two', 'last']);
});

test('a server that writes without end does not fill the memory', async () => {
  const log = new ContainerLog(() => 0);
  const output = new PassThrough();
  log.follow('web', output);
  for (let batch = 0; batch < 30; batch += 1)
    output.write(`${'x'.repeat(9000)}\n`.repeat(5) + 'y\n'.repeat(5000));
  output.end('end\n');
  await settle(output, 5000);
  expect(log.lines.length).toBeLessThan(110_000);
  expect(log.lines.at(-1)?.text).toBe('end');
  expect(Math.max(...log.lines.map(({ text }) => text.length))).toBeLessThanOrEqual(4000);
});
