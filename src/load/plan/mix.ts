import { operationIds, operations, type Api, type OperationId } from '../../core/operations.ts';
import { suggest } from '../../core/suggest.ts';
import type { MixEntry } from './plan.ts';

/** What a load sends by default: reads, which cost nothing and leave nothing behind. */
const defaultMix: readonly MixEntry[] = [
  { operation: 'wci.status', weight: 5 },
  { operation: 'wci.list', weight: 3 },
  { operation: 'fla.lookup', weight: 2 },
];

/** The default mix for a target with these APIs. */
export function defaultMixFor(apis: readonly Api[]): readonly MixEntry[] {
  return defaultMix.filter(({ operation }) => apis.includes(operations[operation].api));
}

/** The form of a mix, for error messages and help. */
const mixForm = `operations with their weights, such as wci.status=5,wci.list=3,fla.lookup=2; operations: ${operationIds.join(', ')}`;

/** The form, and which operation was probably meant by the first name that is none. */
export function mixFormFor(text: string): string {
  const names = text.split(',').map((part) => part.replace(/=.*$/s, '').trim());
  const stray = names.find((name) => name !== '' && operationIds.every((id) => id !== name));
  return `${mixForm}${stray === undefined ? '' : suggest(stray, operationIds)}`;
}

/** Parses `wci.status=5,wci.list=1`; null if it is malformed or names an operation twice. */
export function parseMix(text: string): readonly MixEntry[] | null {
  const entries = text.split(',').map((part) => /^\s*([a-z.]+)\s*=\s*(\d{1,6}(?:\.\d+)?)\s*$/.exec(part));
  const mix: MixEntry[] = [];
  for (const entry of entries) {
    const operation = operationIds.find((id) => id === entry?.[1]);
    const weight = Number(entry?.[2]);
    if (operation === undefined || !(weight > 0) || mix.some((one) => one.operation === operation))
      return null;
    mix.push({ operation, weight });
  }
  return mix;
}

export function isWrite(operation: OperationId): boolean {
  return operations[operation].method === 'POST';
}
