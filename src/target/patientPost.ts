import type { Clock } from '../core/clock.ts';
import { describeFailure } from '../send/failure.ts';
import { resendPauses } from '../send/resend.ts';
import type { StateHandlerPost } from './stateHandler.ts';

const gatewayStatuses: readonly number[] = [502, 503, 504];

/**
 * Asks a state handler again that was not reached, as long as a deployment that is restarted is away. A gateway that answers
 * for it may have handed the request on, so that time is not moved twice.
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

/** A state handler says in JSON what went wrong. */
function isOfGateway({ status, body }: { readonly status: number; readonly body: string }): boolean {
  return gatewayStatuses.includes(status) && !body.trimStart().startsWith('{');
}

function mayRepeat(body: string): boolean {
  return (JSON.parse(body) as { state?: unknown }).state !== 'clock.advance';
}
