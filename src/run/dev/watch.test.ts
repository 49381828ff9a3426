import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { placeOf, watchRestarts } from './restart.ts';
import { baseOf, globExpression, watchFiles } from './watchFiles.ts';

test('a server counts as restarted when its port opens after it was closed', async () => {
  const clock = new VirtualClock(0);
  const stop = new AbortController();
  const seen = [true, true, false, false, true, true, false, true];
  let restarts = 0;
  await watchRestarts(
    { host: '127.0.0.1', port: 1 },
    {
      clock,
      signal: stop.signal,
      onRestart: () => (restarts += 1),
      knock: () => {
        if (seen.length === 1) stop.abort();
        return Promise.resolve(seen.shift() ?? true);
      },
    },
  );
  expect(restarts).toBe(1);
  expect(clock.now()).toBeGreaterThan(200);
});

test.each([
  ['http://127.0.0.1:8080/api', { host: '127.0.0.1', port: 8080 }],
  ['https://qa.example.com', { host: 'qa.example.com', port: 443 }],
  ['http://[::1]:3000', { host: '::1', port: 3000 }],
])('%s is reached at %j', (url, place) => {
  expect(placeOf(url)).toEqual(place);
});

test.each([
  ['src/**/*.py', 'src', ['src/a.py', 'src/b/c.py'], ['src/a.pyc', 'lib/a.py']],
  ['**/*.go', '.', ['main.go', 'a/b.go'], ['main.goo']],
  ['app/main.?s', 'app', ['app/main.ts', 'app/main.js'], ['app/main.mjs', 'app/x/main.ts']],
  ['./server.js', '.', ['server.js'], ['serverXjs']],
])('the pattern %s looks below %s', (pattern, base, fitting, others) => {
  expect(baseOf(pattern)).toBe(base);
  const expression = globExpression(pattern);
  expect(fitting.filter((path) => !expression.test(path))).toEqual([]);
  expect(others.filter((path) => expression.test(path))).toEqual([]);
});

test('a file is seen to change each time, however an editor saves it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-watch-'));
  const path = join(folder, 'app', 'main.py');
  mkdirSync(join(folder, 'app'));
  writeFileSync(path, 'first');
  const stop = new AbortController();
  let seen = Promise.withResolvers<undefined>();
  watchFiles('app/**/*.py', { folder, signal: stop.signal, onChange: () => seen.resolve(undefined) });
  const save = { whole: (text: string) => writeFileSync(path, text), byRename: saveByRename };
  for (const by of ['byRename', 'byRename', 'whole'] as const) {
    seen = Promise.withResolvers<undefined>();
    // Until the watcher stands, nothing is told.
    const again = setInterval(() => save[by](`saved at ${Date.now()}`), 300);
    await seen.promise;
    clearInterval(again);
  }
  stop.abort();

  function saveByRename(text: string): void {
    writeFileSync(`${path}.tmp`, text);
    renameSync(`${path}.tmp`, path);
  }
});

test('a folder that is not there cannot be watched', () => {
  const { signal } = new AbortController();
  const watching = { folder: tmpdir(), signal, onChange: () => undefined };
  expect(() => watchFiles('no-such-folder/**/*.py', watching)).toThrow(/got: no folder at .*no-such-folder/);
});
