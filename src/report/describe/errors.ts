import type { OperationId } from '../../core/operations.ts';
import { documentedCodes } from '../../judge/shared/answers.ts';
import { object, enumOf, open, ref, text, type Schema } from './schema.ts';

/** The error body of the two documents. */
export const errorSchemas: Readonly<Record<string, readonly [section: string, schema: Schema]>> = {
  Error: [
    'Errors',
    object({ success: { const: false }, error: text, message: text }, ['success', 'error', 'message']),
  ],
  RateLimited: [
    'Limits',
    object(
      {
        ...{ success: { const: false }, error: text, message: text },
        retryAfter: open(
          'SHR-OPN-004',
          { type: 'number', minimum: 0 },
          { type: 'string', pattern: String.raw`^\d+(\.\d+)?$` },
        ),
      },
      ['retryAfter'],
    ),
  ],
};

/** For Flight Alerts only: what a 401 has in addition to the error is open. */
export const flightErrorSchemas: typeof errorSchemas = {
  FlightUnauthorized: [
    'Authentication',
    open('SHR-OPN-014', object({ error: text, message: text }, ['error'])),
  ],
};

/** What each status of an operation means. */
const meanings: Readonly<Record<number, string>> = {
  400: 'Missing or malformed data',
  401: 'Missing, unknown, disabled or revoked API key',
  402: 'No entitlement, suspended entitlement, or quota used up',
  404: 'Not found, or belongs to another enterprise',
  409: 'Conflict with the state of the resource',
  422: 'Journey rejected, or callback refused',
  429: 'Rate limit exceeded; wait at least retryAfter seconds',
  500: 'Unexpected failure',
  502: 'The upstream of flight data failed',
};

/** The response object of an error status of an operation. */
export function errorResponse(operation: OperationId, status: number): Schema {
  return {
    description: meanings[status] ?? `HTTP ${status}`,
    content: { 'application/json': { schema: schemaOf(operation, status) } },
  };
}

function schemaOf(operation: OperationId, status: number): Schema {
  if (status === 429) return ref('RateLimited');
  if (status === 401 && operation.startsWith('fla.')) return ref('FlightUnauthorized');
  const named = documentedCodes(operation, status);
  if (named.length === 0) return ref('Error');
  return { allOf: [ref('Error'), object({ error: enumOf(...named) })] };
}
