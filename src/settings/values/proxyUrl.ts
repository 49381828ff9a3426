import { accept, refuseSecret, type Parsed } from './parsed.ts';
import { parseBaseUrl } from './url.ts';

/** Address of a proxy; credentials may stand in it where it came from the environment. */
export function parseProxyUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return parseBaseUrl(text);
  const bare = parseBaseUrl(`${url.protocol}//${url.host}`);
  const extra = url.pathname.length > 1 || url.search !== '' || url.hash !== '';
  if (!bare.ok || extra) {
    return refuseSecret('a proxy address, such as http://proxy.example.com:3128', 'one with a path or query');
  }
  return accept(text.replace(/\/+$/, ''));
}
