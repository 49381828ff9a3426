import { operationIds, type OperationId } from '../../core/operations.ts';
import { suggest } from '../../core/suggest.ts';
import type { FaultView } from '../../sink/page/proxyNews.ts';
import { duration, textForm } from '../../settings/forms.ts';

/** What a proxy does to traffic on demand. */
export interface Fault {
  readonly kind: FaultKind;
  /** As it was written. */
  readonly text: string;
  /** Status of an answer in place of the target's; 0 for none. */
  readonly status: number;
  /** `retryAfter` of a 429, in seconds. */
  readonly retryAfter: number;
  readonly delayMs: number;
  /** How often at most; null for always. */
  readonly times: number | null;
  /** How likely each time, from 0 to 1. */
  readonly share: number;
  /** The operation that it is about; null for all. */
  readonly operation: OperationId | null;
}

type FaultKind =
  /** An answer in place of the target's, which sees nothing. */
  | 'status'
  /** The answer comes later. */
  | 'latency'
  /** The connection breaks before the target sees the request. */
  | 'reset'
  /** The target answers, and the answer is lost. */
  | 'lost'
  /** The target is told that its callback was taken, and the client never sees it. */
  | 'callback-lost'
  | 'callback-late'
  | 'callback-twice'
  /** The callback is refused with a status, as by a client that is down. */
  | 'callback-status';

const form =
  /^(?:(?<code>[45]\d\d)(?:=(?<wait>\d{1,5}))?|latency=(?<late>[\da-z]+?)|(?<plain>reset|lost|callback-lost|callback-twice)|callback-late=(?<behind>[\da-z]+?)|callback-(?<refusal>[45]\d\d))(?:x(?<times>\d{1,4}))?(?::(?<percent>\d{1,3}(?:\.\d+)?)%)?(?:@(?<operation>[a-z.]+))?$/;

/** `429x3`, `500:10%@wci.subscribe`, `latency=300ms`, `callback-lost`: a fault as people write it. */
export const faultForm = textForm<Fault>({
  expected: (text) =>
    'a fault such as 429x3, 429=30, 500:10%@wci.subscribe, latency=300ms, reset, lost, callback-lost, callback-late=5s, ' +
    `callback-twice or callback-503; xN for N times, :P% for a share, @ for one of ${operationIds.join(', ')}${meant(text)}`,
  read: (text) => parse(text.trim()),
});

const kinds = [
  'latency',
  'reset',
  'lost',
  'callback-lost',
  'callback-late',
  'callback-twice',
  'callback-503',
];

/** Which operation or which kind was probably meant. */
function meant(text: string): string {
  const [, kind = '', operation] = /^([^=:@]*)[^@]*(?:@(.*))?$/s.exec(text) ?? [];
  const isStray = operation !== undefined && operationIds.every((id) => id !== operation);
  return isStray
    ? suggest(operation, operationIds)
    : kind === '' || kinds.includes(kind)
      ? ''
      : suggest(kind, kinds);
}

function parse(text: string): Fault | undefined {
  const found = form.exec(text)?.groups as Partial<Record<string, string>> | undefined;
  if (!found) return undefined;
  const { code, wait, late, plain, behind, refusal, times, percent = '100', operation } = found;
  const pause = late ?? behind;
  const delayMs = pause === undefined ? 0 : duration.safeParse(pause).data;
  const named = operationIds.find((id) => id === operation);
  const share = Number(percent) / 100;
  const isWrong =
    delayMs === undefined ||
    delayMs > longestMs ||
    share > 1 ||
    (operation !== undefined && named === undefined) ||
    (wait !== undefined && code !== '429') ||
    times === '0';
  if (isWrong) return undefined;
  const status = Number(code ?? refusal ?? 0);
  return {
    ...{ kind: kindOf({ code, late, plain, behind }), text, status, delayMs, share },
    retryAfter: Number(wait ?? usualWait),
    times: times === undefined ? null : Number(times),
    operation: named ?? null,
  };
}

/** Longer than a client waits, and not so long that a proxy could not end. */
const longestMs = 10 * 60_000;
const usualWait = 5;

function kindOf({ code, late, plain, behind }: Partial<Record<string, string | undefined>>): FaultKind {
  if (code !== undefined) return 'status';
  if (late !== undefined) return 'latency';
  if (behind !== undefined) return 'callback-late';
  return (plain as FaultKind | undefined) ?? 'callback-status';
}

interface Standing {
  readonly id: number;
  readonly fault: Fault;
  struck: number;
}

/** What strikes one request or one callback: delays that add up, and at most one fault that ends it. */
export interface Strike {
  readonly delayMs: number;
  readonly end: Fault | null;
  readonly names: readonly string[];
}

/** The faults that are in force, changed by people while the proxy stands. */
export class FaultPlan {
  readonly #random: () => number;
  readonly #changed: () => void;
  #standing: readonly Standing[] = [];
  #count = 0;

  constructor(faults: readonly Fault[], random: () => number, changed: () => void = () => undefined) {
    this.#random = random;
    this.#changed = changed;
    this.#standing = faults.map((fault, index) => ({ id: index + 1, fault, struck: 0 }));
    this.#count = faults.length;
  }

  get views(): readonly FaultView[] {
    return this.#standing.map(({ id, fault, struck }) => ({
      ...{ id, text: fault.text, struck },
      isOver: fault.times !== null && struck >= fault.times,
    }));
  }

  /** False where there are too many already. */
  add(fault: Fault): boolean {
    if (this.#standing.length >= most) return false;
    this.#count += 1;
    this.#standing = [...this.#standing, { id: this.#count, fault, struck: 0 }];
    this.#changed();
    return true;
  }

  drop(id: number): boolean {
    const left = this.#standing.filter((one) => one.id !== id);
    const isFound = left.length < this.#standing.length;
    this.#standing = left;
    if (isFound) this.#changed();
    return isFound;
  }

  forRequest(operation: OperationId | null): Strike {
    return this.#strike(
      (fault) =>
        !fault.kind.startsWith('callback-') && (fault.operation === null || fault.operation === operation),
    );
  }

  forCallback(): Strike {
    return this.#strike((fault) => fault.kind.startsWith('callback-'));
  }

  #strike(isMeant: (fault: Fault) => boolean): Strike {
    let [delayMs, end] = [0, null as Fault | null];
    const names: string[] = [];
    for (const standing of this.#standing) {
      const { fault } = standing;
      const isDelay = fault.delayMs > 0;
      const isDone = fault.times !== null && standing.struck >= fault.times;
      if (isDone || !isMeant(fault) || (!isDelay && end !== null)) continue;
      if (fault.share < 1 && this.#random() >= fault.share) continue;
      standing.struck += 1;
      names.push(fault.text);
      if (isDelay) delayMs += fault.delayMs;
      else end = fault;
    }
    if (names.length > 0) this.#changed();
    return { delayMs, end, names };
  }
}

const most = 50;

/** An answer of the proxy's own, in the form of the documents (Errors). */
export function faultBody({ status, retryAfter }: Pick<Fault, 'status' | 'retryAfter'>): string {
  const error = codes[status] ?? 'INJECTED_FAULT';
  const rest = status === 429 ? { retryAfter } : {};
  return JSON.stringify({
    success: false,
    error,
    message: `Injected by gatecheck proxy: ${status}`,
    ...rest,
  });
}

const codes: Readonly<Record<number, string>> = {
  400: 'VALIDATION_ERROR',
  401: 'Invalid API key',
  402: 'QUOTA_EXHAUSTED',
  404: 'NOT_FOUND',
  422: 'REJECTED',
  429: 'RATE_LIMIT_EXCEEDED',
  500: 'INTERNAL_ERROR',
  502: 'PROVIDER_UNAVAILABLE',
};
