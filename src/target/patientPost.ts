import type { Clock } from '../core/clock.ts';
import { describeFailure } from '../send/failure.ts';
import { resendPauses } from '../send/resend.ts';
import type { StateHandlerPost } from './stateHandler.ts';

const gatewayStatuses: readonly number[] = [502, 503, 504];

/**
 * Retries if the state handler was not reached, for as long as a deployment takes to restart. If a gateway answered instead, it
 * may have passed the request on; then time is not moved again.
 */
export function patientPost(post: StateHandlerPost, clock: Clock): StateHandlerPost {
  return async (body) => {
    for (const pause of resendPauses) {
      const answer = await post(body).catch((error: unknown) => {
        if (describeFailure(error, false).reason !== 'refused') throw error;
        return null;
      });
      if (answer !== null && !(isOfGateway(answer) && mayRepeat(body))) return answer;
      await clock.sleep(pause);
    }
    return post(body);
  };
}

/** A state handler reports errors as JSON. */
function isOfGateway({ status, body }: { readonly status: number; readonly body: string }): boolean {
  return gatewayStatuses.includes(status) && !body.trimStart().startsWith('{');
}

function mayRepeat(body: string): boolean {
  return (JSON.parse(body) as { state?: unknown }).state !== 'clock.advance';
}
