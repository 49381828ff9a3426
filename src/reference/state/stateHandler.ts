import type { Parts } from '../deployment.ts';
import { respond } from '../shared/respond.ts';

export function createStateHandler(parts: Parts): (request: Request) => Promise<Response> {
  return (request) => {
    void request;
    return Promise.resolve(
      respond({ status: 501, body: { ok: false, error: 'UNSUPPORTED_STATE' } }, parts.clock.now()),
    );
  };
}
