import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { annotate } from './annotations.ts';
import { path } from './forms.ts';
import type { ValuePlace } from './row.ts';

/** A PEM file of certificates, read immediately. */
export function pemFile(place: ValuePlace): z.ZodType<string, string> {
  return pem(place, 'certificates', /-----BEGIN CERTIFICATE-----/);
}

/** A PEM file of a private key, read immediately; never shown. */
export function pemKeyFile(place: ValuePlace): z.ZodType<string, string> {
  return pem(place, 'a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/);
}

function pem(place: ValuePlace, what: string, begin: RegExp): z.ZodType<string, string> {
  const form = path(place).transform((file, { issues }) => {
    const text = readText(file);
    if (text !== undefined && begin.test(text)) return text;
    const got = text === undefined ? 'no readable file' : 'none';
    issues.push({
      code: 'custom',
      message: `expected ${what} in PEM form in ${file}; got ${got}`,
      input: undefined,
    });
    return '';
  });
  return annotate(form, { isPath: true });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
