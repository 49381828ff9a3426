import type { DeliveryLine } from '../../send/journalLine.ts';
import { bodyText } from '../page/moments.ts';
import type { EvidenceLine, Spread } from '../page/pageData.ts';

/** Most kinds of answers that are distinguished: operation names are ours, but a journal may contain anything. */
const most = { kinds: 200, requirements: 500 };

interface Kind {
  readonly operation: string;
  readonly status: string;
  total: number;
}

/** Callbacks by API: what one API never sends is not broken there. */
function callbackOf({ request }: DeliveryLine): string {
  const text = bodyText(request.body);
  if (/"(?:checkin_id|occurredAt)"/.test(text)) return 'web check-in callback';
  return text.includes('"fid"') ? 'flight callback' : 'callback';
}

/** Counts which answers break what: knowing that only one operation or status is wrong is half of finding a mistake. */
export class SpreadCounter {
  readonly #kinds = new Map<string, Kind>();
  readonly #broken = new Map<string, Map<string, number>>();

  add(line: EvidenceLine): void {
    const operation = line.type === 'delivery' ? callbackOf(line) : line.operation;
    if (operation === null) return;
    const status = line.type === 'delivery' ? '' : String(line.response?.status ?? 'no answer');
    const name = `${operation} ${status}`;
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      if (this.#kinds.size >= most.kinds) return;
      this.#kinds.set(name, (kind = { operation, status, total: 0 }));
    }
    kind.total += 1;
    // A list may break a rule once for each item.
    for (const id of new Set(line.violated)) this.#count(id, name);
  }

  #count(id: string, name: string): void {
    let counted = this.#broken.get(id);
    if (counted === undefined) {
      if (this.#broken.size >= most.requirements) return;
      this.#broken.set(id, (counted = new Map<string, number>()));
    }
    counted.set(name, (counted.get(name) ?? 0) + 1);
  }

  /** By requirement: first the kinds that break it, then the others of the same operations or statuses. */
  get spreads(): Readonly<Record<string, readonly Spread[]>> {
    return Object.fromEntries([...this.#broken].map(([id, counted]) => [id, this.#spreadOf(counted)]));
  }

  #spreadOf(counted: ReadonlyMap<string, number>): readonly Spread[] {
    const broken = [...counted.keys()].flatMap((name) => this.#kinds.get(name) ?? []);
    const operations = new Set(broken.map(({ operation }) => operation));
    const statuses = new Set(broken.map(({ status }) => status));
    return [...this.#kinds]
      .filter(([, { operation, status }]) => operations.has(operation) || statuses.has(status))
      .map(([name, kind]) => ({ ...kind, broken: counted.get(name) ?? 0 }))
      .sort((one, other) => other.broken - one.broken || other.total - one.total);
  }
}
