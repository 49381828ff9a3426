import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { annotate } from './annotations.ts';
import { path } from './forms.ts';
import type { Place } from './row.ts';

/** A PEM file of certificates, read at once. */
export function pemFile(place: Place): z.ZodType<string, string> {
  const form = path(place).transform((file, { issues }) => {
    const text = readText(file);
    if (text?.includes('-----BEGIN CERTIFICATE-----')) return text;
    const got = text === undefined ? 'no readable file' : 'none';
    issues.push({
      code: 'custom',
      message: `expected certificates in PEM form in ${file}; got ${got}`,
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
