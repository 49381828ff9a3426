import { accept, refuseSecret, type Parsed } from './parsed.ts';

const form = 'the address of a Redis, such as redis://127.0.0.1:6379 or rediss://redis.example.com:6380/1';

/** Address of a Redis. A password may stand in it, so that it is never shown. */
export function parseRedisUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '')
    return refuseSecret(form, 'another text (not shown)');
  return /^\/?\d{0,3}$/.test(url.pathname) && url.hash === ''
    ? accept(text)
    : refuseSecret(form, 'one with a path that is no database number (not shown)');
}
