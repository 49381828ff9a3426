import { bufferOf } from '../../core/bytes.ts';
import type { OperationId } from '../../core/operations.ts';
import type { ApiRequest } from '../../send/request.ts';

/** A request to one of the documented operations. */
export interface Operating extends Pick<ApiRequest, 'headers' | 'body'> {
  readonly operation: OperationId;
}

/**
 * Requests that take one path through a server, and may fail where others work: an operation, its multipart forms, and what
 * registers a callback.
 */
export function kindOf({ operation, headers, body }: Operating): string {
  const isForm = headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith('multipart/'),
  );
  const hasCallback = body !== null && bufferOf(body).includes('callbackData');
  return `${operation}${isForm ? ' as multipart/form-data' : ''}${hasCallback ? ' with callbackData' : ''}`;
}
