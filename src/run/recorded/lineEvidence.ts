import type { Delivery } from '../../core/evidence.ts';
import { bytesOf } from '../../send/lineExchange.ts';
import type { DeliveryLine } from '../../send/journalLine.ts';
import type { Evidence } from '../../trace/evidence.ts';

/** A piece of evidence with what is known of how it was recorded. */
export interface Recorded {
  readonly evidence: Evidence;
  /** Written by Gatecheck: secrets are labels. */
  readonly isOwn: boolean;
  /** Of a run, which claims that its trace is all that happened to its records. */
  readonly isWhole: boolean;
  /** Whether credentials stand in its recording as they were on the wire. */
  readonly showsCredentials: boolean;
  /** How far the state handler had moved the target's clock; left out where the recording does not say. */
  readonly movedMs?: number;
  /** What came before says nothing of what follows: the deployment's memory was reset, or a run was continued. */
  readonly begins?: boolean;
}

export function deliveryOf(line: DeliveryLine, prefix: string): Delivery {
  const startedAt = Date.parse(line.startedAt);
  const { request, registration, connection, answer } = line;
  return {
    ...{ id: prefix + line.id, registration, connection, answer },
    ...{ method: request.method, target: request.target, headers: request.headers },
    ...{ body: bytesOf(request.body), truncated: request.truncated },
    ...{ startedAt, receivedAt: startedAt + line.durationMs },
  };
}
