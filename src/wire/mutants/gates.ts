import type { WireResult } from '../../send/transport.ts';
import type { Interference } from '../stage.ts';
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
      stage.fire();
      return mutant.operator === 'done' ? refused : accepted;
    },
  };
}

export function statusOf({ outcome }: WireResult): number | null {
  return outcome.kind === 'response' ? outcome.response.status : null;
}
