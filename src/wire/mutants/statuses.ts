import { withAnswer, withBytes } from '../layers.ts';
import type { Interference } from '../stage.ts';
import { isAt, type Acting } from './occasion.ts';

/** Another status for an answer; `plausible` answers 200 with the body of the last success. */
export function changeStatuses(acting: Acting): Interference {
  const { mutant, stage, occasion } = acting;
  return {
    exchange: async (passing, pass) => {
      const result = await pass(passing.request);
      const { operation } = passing.asked;
      const isSuch =
        operation !== null &&
        isAt(acting, passing) &&
        result.outcome.kind === 'response' &&
        result.outcome.response.status === mutant.status;
      if (!isSuch || !occasion.holds(passing.traits)) return result;
      const success = stage.templates.accepted(operation);
      if (mutant.operator === 'plausible' && !success) return result;
      stage.fire();
      return withAnswer(result, (answer) => {
        if (mutant.operator === 'plausible' && success) return success;
        const status = Number(mutant.operator);
        return { ...(status === 204 ? withBytes(answer, new Uint8Array()) : answer), status };
      });
    },
  };
}

/** Statuses that a status is taken for, or that frameworks answer instead. */
export function statusOperators(status: number): readonly string[] {
  const others = mistaken[status] ?? [status >= 500 ? '200' : '500'];
  return status >= 400 ? [...others, '200', 'plausible'] : others;
}

const mistaken: Readonly<Record<number, readonly string[]>> = {
  200: ['201', '202', '204', '302', '400', '500'],
  400: ['422', '404', '500'],
  401: ['403', '400', '404', '500'],
  402: ['403', '422', '400', '500'],
  404: ['403', '410', '400', '500'],
  409: ['400', '422', '500'],
  422: ['400', '409', '500'],
  429: ['503', '403', '500'],
  500: ['502'],
  502: ['500', '503', '504'],
};
