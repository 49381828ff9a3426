import { expect, test } from 'vitest';
import { checkOptions } from './knownOptions.ts';

const known = { port: true, host: true } as const;

test('options that exist are taken', () => {
  expect(() => checkOptions('open', { port: 0 }, known as { readonly port: true })).not.toThrow();
});

test('an option that does not exist is a TypeError, with the closest one', () => {
  const given: { port?: number; host?: string } = JSON.parse('{"prot":1}') as object;
  expect(() => checkOptions('open', given, known)).toThrow(
    new TypeError("open has no option 'prot' (did you mean 'port'?). It has: port, host."),
  );
});
