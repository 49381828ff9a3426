import { readFileSync } from 'node:fs';
import type { HttpSettings } from '../../core/settings.ts';
import { defined } from '../settingsInput.ts';
import { parsePath } from '../values/path.ts';
import { resolveHeaders } from './headers.ts';
import { resolveProxy } from './proxy.ts';
import type { Resolving } from './resolving.ts';
import type { ParsedConfig } from './schema.ts';

/** How requests are sent, as the config file says it. */
export function httpOf(
  { http = {} }: ParsedConfig,
  resolving: Resolving,
  folder: string,
): Partial<HttpSettings> {
  return defined<HttpSettings>({
    connectTimeoutMs: http.connectTimeout,
    responseTimeoutMs: http.responseTimeout,
    maxBodyBytes: http.maxBodyBytes,
    proxy: resolveProxy(http.proxy, resolving),
    extraCa: readPem(http.extraCa, resolving, folder),
    headers: http.headers && resolveHeaders(http.headers, resolving),
  });
}

function readPem(file: string | undefined, { reader, at }: Resolving, folder: string): string | undefined {
  const path = reader.read(at('http.extraCa'), file, parsePath(folder));
  if (path === undefined) return undefined;
  const text = readText(path);
  if (text?.includes('-----BEGIN CERTIFICATE-----')) return text;
  const got = text === undefined ? 'no readable file' : 'none';
  reader.refuse(at('http.extraCa'), `expected certificates in PEM form in ${path}; got ${got}`);
  return undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
