import * as fc from 'fast-check';
import { cornerForms } from '../../spec/grammar/clock.ts';
import { anySpelling } from '../../spec/grammar/clockSpelling.ts';
import { full, type Render } from '../../spec/grammar/clockTexts.ts';

/** Every tolerated form: separator, seconds, fraction, suffix and surrounding spaces combine freely. */
export const dateTimeForm = anySpelling(fc);

/** Spellings on which the document is silent, and white space that is to be tolerated. */
export const dateTimeCorners: readonly { readonly name: string; readonly text: Render }[] = cornerForms.map(
  ({ name, text }) => ({ name, text: fc.sample(text(fc), { seed: 0, numRuns: 1 })[0] ?? full }),
);
