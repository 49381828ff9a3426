import type { Exchange } from '../core/evidence.ts';
import type { ApiRequest } from './request.ts';

/** Further attempts by the outcome of the previous ones: slow failures are not repeated often. */
const tries = { reset: 2, refused: 4, timeout: 1, gateway: 2 } as const;
const gatewayStatuses: readonly number[] = [502, 503, 504];

/** Milliseconds before each further attempt; together they outlast the restart of a deployment. */
export const resendPauses = [200, 600, 1_200, 2_500] as const;

/**
 * How often a request that the network or a gateway disturbed may be sent again: only if it merely reads, or certainly never
 * arrived. In other cases only the check that sent it can find out what happened.
 */
export function furtherTries(request: ApiRequest, { outcome }: Exchange): number {
  if (isSentOnce(request)) return 0;
  if (outcome.kind === 'response') {
    const { status, headers } = outcome.response;
    if (request.method !== 'GET' || !gatewayStatuses.includes(status)) return 0;
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    return type.toLowerCase().includes('json') ? 0 : tries.gateway;
  }
  const { reason, maybeDelivered } = outcome.failure;
  if (reason !== 'reset' && reason !== 'refused' && reason !== 'timeout') return 0;
  return request.method === 'GET' || !maybeDelivered ? tries[reason] : 0;
}

/** Whether even a read is not sent again, whatever disturbed it. */
export function isSentOnce({ wantsRefusal, once }: ApiRequest): boolean {
  return wantsRefusal || once === true;
}
