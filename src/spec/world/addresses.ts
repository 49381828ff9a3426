import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';

/**
 * How a delivery is attributed: by segments of its path that may be the token of a mailbox, or by the whole path if there are
 * none, as in the addresses of partners in recordings.
 */
export function tokensOf(url: string): readonly string[] {
  const path = URL.parse(url)?.pathname ?? '';
  const segments = path.split('/').filter((segment) => segment.length >= 16);
  return segments.length === 0 && path !== '' ? [path] : segments;
}

/** Which hosts of callback addresses a delivery has reached: only there a silence tells something. */
export class Addresses {
  readonly #originOf = new RecentMap<string, string>(5_000);
  readonly #reached = new Set<string>();

  /** The address that an accepted subscribe names. */
  note({ body, status }: Call): void {
    const data = body?.callbackData;
    if (status === 200 && isObject(data) && typeof data.callbackUrl === 'string')
      this.register(data.callbackUrl);
  }

  register(url: string): void {
    const origin = originOf(url);
    for (const token of tokensOf(url)) this.#originOf.set(token, origin);
  }

  isRegistered(token: string): boolean {
    return this.#originOf.has(token);
  }

  reach(token: string): void {
    const origin = this.#originOf.get(token);
    if (origin !== undefined) this.#reached.add(origin);
  }

  isReached(url: string): boolean {
    return this.#reached.has(originOf(url));
  }
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}
