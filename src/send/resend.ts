import type { Exchange } from '../core/evidence.ts';
import type { ApiRequest } from './request.ts';

/** Further tries by what came of the ones before: what takes long is not waited for often. */
const tries = { reset: 2, refused: 4, timeout: 1, gateway: 2 } as const;
const gatewayStatuses: readonly number[] = [502, 503, 504];

/** Milliseconds before each further try; together as long as a deployment that is restarted is away. */
export const resendPauses = [200, 600, 1_200, 2_500] as const;

/**
 * How often a request may be sent again that the network or a gateway disturbed: one that only reads, or one that certainly
 * never arrived. What else became of it, only the check that sent it can find out.
 */
export function furtherTries(request: ApiRequest, { outcome }: Exchange): number {
  if (request.wantsRefusal) return 0;
  if (outcome.kind === 'response') {
    const { status, headers } = outcome.response;
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const isGateway = gatewayStatuses.includes(status) && !type.toLowerCase().includes('json');
    return isGateway && request.method === 'GET' ? tries.gateway : 0;
  }
  const { reason, maybeDelivered } = outcome.failure;
  if (reason !== 'reset' && reason !== 'refused' && reason !== 'timeout') return 0;
  return request.method === 'GET' || !maybeDelivered ? tries[reason] : 0;
}
