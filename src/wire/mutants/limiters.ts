import { operations, type OperationId } from '../../core/operations.ts';
import type { WireRequest } from '../../send/transport.ts';
import { withField } from '../asked.ts';
import type { Interference, Passing, Setup } from '../stage.ts';
import type { Send } from '../wire.ts';
import { statusOf } from './gates.ts';
import { isAt, type Acting } from './occasion.ts';

/** How requests may be counted otherwise than they should. */
export const limiterOperators = {
  uncounted: 'is not counted',
  double: 'is counted twice',
  'neighbour-too': 'is counted for another key of the enterprise as well',
} as const;

/** Requests to an operation are counted otherwise. */
export function miscount(acting: Acting): Interference {
  const { mutant, stage, occasion } = acting;
  const spares = new Spares(stage);
  return {
    exchange: async (passing, pass) => {
      const { key } = passing.asked;
      if (key === null || !isAt(acting, passing) || !occasion.holds(passing.traits))
        return pass(passing.request);
      if (mutant.operator === 'uncounted') {
        const spare = await spares.of(key);
        if (spare === null) return pass(passing.request);
        stage.fire();
        return pass(byKey(passing.request, spare));
      }
      const result = await pass(passing.request);
      const counted = mutant.operator === 'double' ? key : neighbourOf(key, stage);
      if (statusOf(result) === 200 && counted !== null) await count(passing, pass, counted, stage);
      return result;
    },
  };
}

/** A request that changes nothing, and is counted. */
async function count({ request }: Passing, pass: Send, key: string, stage: Setup): Promise<void> {
  const operation: OperationId = 'wci.list';
  const { method, path } = operations[operation];
  stage.fire();
  await pass(byKey({ ...request, method, target: `${path}?limit=1`, headers: [], body: null }, key));
}

function byKey(request: WireRequest, key: string): WireRequest {
  return { ...request, headers: withField(request.headers, 'x-api-key', key) };
}

function neighbourOf(key: string, stage: Setup): string | null {
  const own = stage.keys.siblingsOf(key);
  return own[(own.indexOf(key) + 1) % Math.max(1, own.length)] ?? null;
}

const usesOfSpare = 40;

/** Keys under which requests are sent that their own key is not to be charged for. */
class Spares {
  readonly #stage: Setup;
  readonly #spares = new Map<string, { readonly key: string; left: number }>();

  constructor(stage: Setup) {
    this.#stage = stage;
  }

  async of(key: string): Promise<string | null> {
    const known = this.#spares.get(key);
    if (known && known.left > 0) {
      known.left -= 1;
      return known.key;
    }
    const spare = await this.#stage.spareKey(key);
    if (spare !== null) this.#spares.set(key, { key: spare, left: usesOfSpare - 1 });
    return spare;
  }
}
