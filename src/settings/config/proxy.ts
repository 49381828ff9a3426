import { parseProxyUrl } from '../values/proxyUrl.ts';
import { parseBaseUrl } from '../values/url.ts';
import type { Resolving } from './resolving.ts';
import { parseSecretReference } from './secretReference.ts';

/** The proxy's address: written out, or `env:NAME` where it holds credentials. */
export function resolveProxy(
  text: string | undefined,
  { reader, at, secret }: Resolving,
): string | undefined {
  if (!text?.startsWith('env:')) return reader.read(at('http.proxy'), text, parseBaseUrl);
  const variable = reader.read(at('http.proxy'), text, parseSecretReference);
  return secret('http.proxy', variable, parseProxyUrl);
}
