import type { WireRequest, WireResult } from '../../send/transport.ts';
import { readRequest } from '../asked.ts';
import { isMembers, isSame, readJson } from '../json.ts';
import type { Interference, Setup } from '../stage.ts';
import { isAt, type Acting } from './occasion.ts';
import { kindAt, repaired } from './repair.ts';

/** The path of a gate names the input and the kind of value that is refused: `body.pnr=null`. */
export function gatePath(path: string, kind: string): string {
  return `${path}=${kind}`;
}

/**
 * A refusal that should have come does not: the request is made valid on its way. With `done` the refusal is answered, and
 * yet everything is done.
 */
export function openGates(acting: Acting): Interference {
  const { mutant, stage, occasion } = acting;
  const [path = '', kind = ''] = mutant.path.split('=');
  return {
    exchange: async (passing, pass) => {
      const refused = await pass(passing.request);
      const isSuch =
        isAt(acting, passing) &&
        statusOf(refused) === mutant.status &&
        kindAt(passing, path, stage) === kind &&
        occasion.holds(passing.traits);
      const request = isSuch ? repaired(passing, path, stage) : null;
      if (request === null) return refused;
      const accepted = await pass(request);
      if (statusOf(accepted) !== 200) return refused;
      if (mutant.operator === 'opened' || hasEffect(request, accepted, stage)) stage.fire();
      return mutant.operator === 'done' ? refused : accepted;
    },
  };
}

/**
 * Whether an accepted request did something that shows: made a record or registered a callback, or updated a record to
 * something else than what was sent last.
 */
function hasEffect(request: WireRequest, accepted: WireResult, stage: Setup): boolean {
  if (accepted.outcome.kind === 'failure') return false;
  const answer = readJson(accepted.outcome.response.body);
  if (!isMembers(answer)) return false;
  if (typeof answer.callbackApiKey === 'string' || answer.message === 'SCHEDULED') return true;
  const asked = readRequest(request);
  const [last] = asked.operation === 'wci.update' ? (stage.records.of(asked)?.writes ?? []) : [];
  return last !== undefined && !isSame(readRequest(last).body, asked.body);
}

export function statusOf({ outcome }: WireResult): number | null {
  return outcome.kind === 'response' ? outcome.response.status : null;
}
