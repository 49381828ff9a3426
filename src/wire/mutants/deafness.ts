import { inputsOf, withInputs } from '../inputs.ts';
import { isMembers, isSame, type Json } from '../json.ts';
import { editAt } from '../spots.ts';
import type { Interference } from '../stage.ts';
import { statusOf } from './gates.ts';
import { isAt, type Acting } from './occasion.ts';
import { placeId } from './place.ts';

/** What the deployment gets instead of one input. */
export const deafOperators = ['removed', 'null', 'previous'] as const;

/** The deployment does not get one input: a member, a parameter, a header field or a part. */
export function loseInputs(acting: Acting): Interference {
  const { mutant, stage, occasion } = acting;
  const place = placeId(mutant);
  return {
    exchange: async (passing, pass) => {
      const { request, asked, subject, traits } = passing;
      if (!isAt(acting, passing) || !occasion.holds(traits)) return pass(request);
      const inputs = inputsOf(request, asked);
      const sent: Json[] = [];
      const edited = editAt(inputs, mutant.path, (spot) => {
        const before = stage.values.ofAnother(place, subject);
        sent.push(spot.value);
        return occasion.holdsAt(spot) ? insteadOf(mutant.operator, spot.value, before) : spot.value;
      });
      if (!isMembers(edited) || isSame(edited, inputs)) {
        const result = await pass(request);
        // What was refused is nothing that a deployment would keep.
        if (statusOf(result) === 200) for (const value of sent) stage.values.note(place, subject, value);
        return result;
      }
      stage.fire();
      return pass(withInputs(request, edited));
    },
  };
}

/** What comes instead of an input; undefined for nothing. */
export function insteadOf(operator: string, value: Json, before: Json | undefined): Json | undefined {
  if (operator === 'removed') return undefined;
  if (operator === 'null') return null;
  return before ?? value;
}
