import { GatecheckError } from '../../core/errors.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { Session } from '../session/session.ts';

/** A sequence as far as it was sent, and why no further; null if all of it was. */
export interface Resent {
  readonly exchanges: readonly Exchange[];
  readonly cutShort: string | null;
}

/** Sends requests one after another; all oracles judge what comes back. */
export async function resend(session: Session, requests: readonly ApiRequest[]): Promise<Resent> {
  const exchanges: Exchange[] = [];
  const { client } = session.traffic;
  let cutShort = (await session.reach()) ? null : session.endReason;
  try {
    if (cutShort === null) for (const request of requests) exchanges.push(await client.send(request, 'load'));
  } catch (error) {
    if (!(error instanceof GatecheckError)) throw error;
    cutShort = error.message;
  }
  session.observations.observer.end();
  return { exchanges, cutShort };
}
