import type { Exchange } from '../../../core/evidence.ts';
import { bodyOf, responseOf, valueNamed } from '../../kernel/body.ts';

/** What about a request a limiter may heed although it counts by key alone. */
export interface Form {
  readonly isUpload: boolean;
  /** A status by `checkinId`. */
  readonly isAlias: boolean;
  /** Legs that a lookup returned; 1 for all else. */
  readonly legs: number;
  /** What else it says of its caller; null where that was not looked at. */
  readonly caller: Caller | null;
}

export interface Caller {
  readonly agent: string;
  readonly address: string;
}

const plain: Form = { isUpload: false, isAlias: false, legs: 1, caller: null };
const upload: Form = { ...plain, isUpload: true };
const alias: Form = { ...plain, isAlias: true };

/** `tellsCaller` where it matters what the request says of its caller: once its key was refused. */
export function formOf(exchange: Exchange, tellsCaller: boolean): Form {
  const form = plainFormOf(exchange);
  return tellsCaller ? { ...form, caller: callerIn(exchange) } : form;
}

function plainFormOf(exchange: Exchange): Form {
  const { operation, request } = exchange;
  if (operation === 'fla.lookup') return { ...plain, legs: legsIn(exchange) };
  if (operation === 'wci.status') return request.target.includes('checkinId=') ? alias : plain;
  if (operation !== 'wci.subscribe' && operation !== 'wci.update') return plain;
  return valueNamed(request.headers, 'content-type')?.startsWith('multipart/') === true ? upload : plain;
}

function legsIn(exchange: Exchange): number {
  const response = responseOf(exchange);
  if (response?.status !== 200) return 1;
  const body = bodyOf(response);
  return body.kind === 'json' && Array.isArray(body.value) ? Math.max(1, body.value.length) : 1;
}

function callerIn({ request: { headers } }: Exchange): Caller {
  return {
    agent: valueNamed(headers, 'user-agent') ?? '',
    address: valueNamed(headers, 'x-forwarded-for') ?? '',
  };
}
