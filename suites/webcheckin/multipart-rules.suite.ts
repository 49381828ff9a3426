import {
  type CheckContext,
  type Corruption,
  type JsonObject,
  about,
  generate,
  rulesOf,
  suite,
  table,
} from '../checks.ts';
import { corrupt, withFreshPnr } from '../support/checkin.ts';
import { earliestNow } from '../support/clocks.ts';
import { bookingAhead, departureText, tooClose, tooNearMs } from '../support/departures.ts';
import { bookingParts, knownPnrForm, multipart } from '../support/multipart.ts';
import { judgeRefusal, refusedOrIncomplete } from '../support/refusals.ts';

// Lists that are missing, empty or no lists are those of `wci.multipart.subscribe-refused`; a text is what a part holds anyway.
const isOfOneElement = ({ rule }: Corruption) =>
  /^WCI-(JRN|DT)-/.test(rule) || (rule.startsWith('WCI-SUB-') && !/-02[4-9]$/.test(rule));
const missingNames = generate.missingNames.filter(({ name }) => name.startsWith('absent-'));
const nameRules: ReadonlySet<string> = new Set(rulesOf(missingNames));
const faults = [...ofEachRule(generate.subscribeCorruptions(0).filter(isOfOneElement)), ...missingNames];

export default suite('Multipart encoding: the rules of a booking', [
  table({
    id: 'wci.multipart.subscribe-rules',
    title:
      'a multipart subscribe that breaks a rule of flights, passengers or journey is refused as one of JSON is',
    verifies: [...rulesOf(faults), 'WCI-JRN-001'],
    uses: ['complete-record', 'two-leg-record'],
    needs: ['writes', 'quota'],
    rows: faults,
    run: async (t, rows) => {
      const one = await t.fixtures.booking();
      const two = await t.fixtures.itineraryRecord('twoLeg').then(
        ({ body }) => body,
        () => one,
      );
      const send = (body: JsonObject) =>
        t.send(multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', knownPnrForm(t))));
      await t.each(rows, async ({ rule, name }) => {
        const row = atThisTime(t, name);
        const valid = [two, one].find((body) => row.applicable(body));
        if (!valid) return;
        const exchange = await send(corrupt(t, row, withFreshPnr(t, valid)));
        const judgement = nameRules.has(rule)
          ? refusedOrIncomplete(exchange)
          : judgeRefusal(rule, row.refusal, exchange);
        t.judge(exchange, { [rule]: judgement });
      });
      const near = bookingAhead(t, await t.fixtures.itinerary('international'), tooNearMs);
      const exchange = await send(near);
      t.judge(exchange, { 'WCI-JRN-001': about(tooClose(t)(exchange), departureText(t, near)) });
    },
  }),
]);

/** The fault of that name, with a past that is the past of the deployment. */
function atThisTime(t: CheckContext, name: string): Corruption {
  const all = [...generate.subscribeCorruptions(earliestNow(t)), ...missingNames];
  const row = all.find((one) => one.name === name);
  if (!row) throw new Error(`there is no corruption ${name}`);
  return row;
}

/** One of each rule, and of rules about later elements each. */
function ofEachRule(rows: readonly Corruption[]): readonly Corruption[] {
  const isOfLater = ({ rule }: Corruption) => ['WCI-SUB-033', 'WCI-SUB-039'].includes(rule);
  return rows.filter((row, at) => isOfLater(row) || rows.findIndex(({ rule }) => rule === row.rule) === at);
}
