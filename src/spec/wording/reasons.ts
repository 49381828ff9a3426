import type { Delivery, Exchange } from '../../core/evidence.ts';
import { operations } from '../../core/operations.ts';
import { bodyOf, isObject, responseOf, type Json } from '../../trace/body.ts';
import type { Step } from '../../trace/evidence.ts';
import { value } from '../kernel/value.ts';
import { kindWords } from './words.ts';

/** What a piece of evidence has to do with a violation: what was asked, and what it shows at the place. */
export function reasonWords(reason: Exchange | Delivery | Step, at: string): string {
  if ('type' in reason) return `state ${reason.operation}: ${reason.outcome}`;
  const [who, body] = 'registration' in reason ? deliveryParts(reason) : exchangeParts(reason);
  const shown = memberIn(body, at);
  return shown === null ? who : `${who}, ${shown}`;
}

type Parts = readonly [who: string, body: Json | undefined];

function deliveryParts(delivery: Delivery): Parts {
  return ['callback', jsonIn(delivery)];
}

function exchangeParts({ operation, request, outcome, ...exchange }: Exchange): Parts {
  const name =
    operation === null ? request.target.slice(0, 100) : (operations[operation].path.split('/').at(-1) ?? '');
  const response = responseOf({ operation, request, outcome, ...exchange });
  const answer = response === null ? 'no answer' : `HTTP ${response.status}`;
  return [`${request.method} ${name}: ${answer}`, response === null ? undefined : jsonIn(response)];
}

function jsonIn(message: { readonly body: Uint8Array; readonly truncated: boolean }): Json | undefined {
  const body = bodyOf(message);
  return body.kind === 'json' ? body.value : undefined;
}

/** The member at the place, or the one of its name in a body without a list. */
function memberIn(body: Json | undefined, at: string): string | null {
  const steps = at.split(/[.[\]]+/).filter((step) => step !== '');
  const exact = steps.reduce<Json | undefined>(stepInto, body);
  const name = steps.at(-1) ?? '';
  if (exact !== undefined && steps.length > 0) return `${at} ${kindWords(value(exact))}`;
  if (!isObject(body)) return null;
  const inner = isObject(body.data) ? body.data[name] : undefined;
  const found = body[name] ?? inner;
  return found === undefined ? null : `${name} ${kindWords(value(found))}`;
}

function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
