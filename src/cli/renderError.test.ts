import { expect, test } from 'vitest';
import { targetError, usageError } from '../core/errors.ts';
import { plainPalette } from '../core/palette.ts';
import { exitCodeOf, renderError } from './renderError.ts';

const render = (error: unknown, env: Record<string, string> = {}) =>
  renderError(error, {
    env,
    stderr: { write: () => undefined, palette: plainPalette, interactive: false, columns: 80 },
  });

test('one fault is one line, with what to do next', () => {
  expect(render(usageError('X', 'expected a; got b', 'Do c.'))).toBe('error: expected a; got b. Do c.\n');
});

test('several faults are a line each', () => {
  expect(render(usageError('X', 'one\ntwo'))).toBe('error: 2 problems\n  one\n  two\n');
});

test('an unexpected error says that Gatecheck broke, and shows no stack', () => {
  expect(render(new TypeError('x is not a function'))).toMatchInlineSnapshot(`
    "error: Gatecheck itself failed: x is not a function.
      GATECHECK_DEBUG=1 shows where. Please report it, with the command line, to the people who maintain your copy of Gatecheck.
    "
  `);
});

test.each([
  ['file:///home/me/journeys.ts?x=1:12:9', 3],
  ['Timeout._onTimeout (/home/me/journeys.ts:12:9)', 3],
  [`run (${import.meta.url}:1:1)`, 70],
  ['run (/home/me/node_modules/undici/index.js:1:1)', 70],
])('an error thrown at %s, where nobody catches it, exits with %i', (place, code) => {
  const error = new TypeError('oops');
  error.stack = `TypeError: oops\n    at listOnTimeout (node:internal/timers:581:17)\n    at ${place}`;
  expect(exitCodeOf(error)).toBe(code);
  if (code === 3)
    expect(render(error)).toMatch(
      /of your own .*; got TypeError: oops\. .* at \/home\/me\/journeys\.ts:12:9, .*Await/,
    );
});

test('a full disk is no bug of Gatecheck, whatever it wrote', () => {
  const fault = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    ...{ code: 'ENOSPC', syscall: 'write', path: '/r/out' },
  });
  expect([render(fault), exitCodeOf(fault)]).toEqual([
    'error: Expected to write a file to /r/out: The disk is full (ENOSPC). Make room there, or name another place with --report-dir.\n',
    70,
  ]);
});

test('the stack and its causes are shown on request', () => {
  const text = render(new Error('outer', { cause: new Error('inner') }), { GATECHECK_DEBUG: '1' });
  expect(text).toMatch(/outer[^]*at [^]*caused by Error: inner/);
});

test.each([
  [usageError('X', 'x'), 2],
  [targetError('X', 'x'), 3],
  [new Error('x'), 70],
  ['text', 70],
])('%s exits with %i', (error, code) => {
  expect(exitCodeOf(error)).toBe(code);
});

test('text of an error cannot steer the terminal', () => {
  expect(render(new Error('\u001b[2J'))).not.toMatch(/\u001b/);
});

test('an indented line belongs to the fault before it', () => {
  const error = targetError(
    'IMAGE_DIED',
    'Expected it to run; it ended. It logged last:\n  | no database',
    'Fix it.',
  );
  expect(render(error)).toBe(
    'error: Expected it to run; it ended. It logged last:\n  | no database\n  Fix it.\n',
  );
});
