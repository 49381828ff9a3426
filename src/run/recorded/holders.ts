import type { Exchange, Headers } from '../../core/evidence.ts';
import type { Redactor } from '../../core/redact.ts';
import type { ApiKey, KeyRing } from '../../send/keyRing.ts';
import { isPlaceholder } from './placeholder.ts';

/** A request with its key, and what became of it. */
interface KeyedLine {
  readonly request: { readonly headers: Headers };
  readonly response: { readonly status: number } | null;
}

/** Whose keys recorded requests carry. */
interface HolderOptions {
  /** The keys that the user named, by enterprise. */
  readonly keys: KeyRing;
  /** All keys that the user did not name belong to one enterprise. */
  readonly isOneEnterprise: boolean;
  readonly redactor: Redactor;
}

/**
 * Knows the enterprise of each recorded request. Keys that were not named may belong to several enterprises: with more
 * than one of them, what one enterprise may see of another cannot be judged.
 */
export class Holders {
  readonly #options: HolderOptions;
  readonly #unknown = new Map<string, string>();
  readonly #active = new Set<string>();

  constructor(options: HolderOptions, lines: readonly KeyedLine[] = []) {
    this.#options = options;
    for (const line of lines) this.learn(line);
  }

  /** Whether the recording left open which keys belong together. */
  get isUndecided(): boolean {
    return !this.#options.isOneEnterprise && this.#active.size > 1;
  }

  of(line: KeyedLine): Pick<Exchange, 'enterprise' | 'key'> {
    const value = keyOfHolder(line.request.headers);
    if (value === null) return { key: null, enterprise: this.#options.isOneEnterprise ? recorded : null };
    const known = this.#known(value);
    if (known)
      return { key: known.label, enterprise: line.response?.status === 401 ? null : known.enterprise };
    const isHolder = this.#active.has(value) && line.response?.status !== 401 && !this.isUndecided;
    return { key: this.#unknown.get(value) ?? null, enterprise: isHolder ? recorded : null };
  }

  #known(value: string): ApiKey | undefined {
    return this.#options.keys.all().find((key) => key.value === value);
  }

  /** Notes whether the key of a request is active. */
  learn({ request, response }: KeyedLine): void {
    const value = keyOfHolder(request.headers);
    if (value === null || this.#known(value)) return;
    if (!this.#unknown.has(value)) {
      const label = `recorded#${this.#unknown.size + 1}`;
      this.#unknown.set(value, label);
      if (value.length >= shortest) this.#options.redactor.add(value, `key ${label}`);
    }
    if (response && response.status !== 401) this.#active.add(value);
  }
}

const recorded = 'recorded';

/** A shorter value is no secret, and replacing it everywhere would spoil the evidence; its header is never shown. */
const shortest = 6;

/** The API key of a request as it was on the wire; null where there was none, or a recorder took it out. */
export function keyOfHolder(headers: Headers): string | null {
  const value = headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1] ?? '';
  return isPlaceholder(value) ? null : value;
}
