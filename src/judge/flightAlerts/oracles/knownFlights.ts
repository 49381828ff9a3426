import type { Exchange } from '../../../core/evidence.ts';
import { Blame } from '../../../spec/kernel/blame.ts';
import { BetweenLooks } from '../../../spec/rules/betweenLooks.ts';
import { LookupHabits } from '../../../spec/rules/lookupHabits.ts';
import { judgeFlight } from '../../../spec/rules/lookups.ts';
import type { Suspect } from '../../../spec/rules/suspect.ts';
import { PastDates } from '../../../spec/rules/pastDates.ts';
import { SameLegs } from '../../../spec/rules/sameLegs.ts';
import { judgeSchedules } from '../../../spec/rules/schedules.ts';
import { Simultaneous } from '../../../spec/rules/simultaneous.ts';
import { StrayNotices } from '../../../spec/rules/strayNotices.ts';
import { judgeSubscription } from '../../../spec/rules/subscriptions.ts';
import { ClockSteps } from '../../../spec/world/clockSteps.ts';
import { Flights } from '../../../spec/world/flights.ts';
import { Subscriptions } from '../../../spec/world/subscriptions.ts';
import { flightOf } from '../../../spec/world/legs.ts';
import { callOf } from '../../../trace/call.ts';
import { isNote, type Step } from '../../../trace/evidence.ts';
import { nothingKnown, type Known, type Oracle } from '../../kernel/oracle.ts';
import { dateOf, responseOf } from '../../../trace/body.ts';
import { noSamples, sampleOfSaid, sampleOfViolation, samplesKept } from '../../kernel/sample.ts';

/** A step that is noted after an answer may have been under way before it. */
const mostSuspects = 500;

/** A flight is as the state handler has made it, whatever answer shows it. */
export const knownFlights: Oracle = {
  id: 'known-flights',
  title: 'A flight is as upstream has it, whatever answer shows it',
  // Other oracles judge FLA-GET-001, -007, -011 to -013 and -015, FLA-SNP-004 and -005 and FLA-SUB-003, -005, -006 and -017 as well.
  verifies: [
    'FLA-CB-017',
    'FLA-CB-023',
    ...['FLA-GET-005', 'FLA-GET-006', 'FLA-GET-014', 'FLA-GET-024', 'FLA-GET-025', 'FLA-GET-026'],
    ...['FLA-GET-027', 'FLA-GET-028', 'FLA-GET-029', 'FLA-GET-030', 'FLA-GET-031', 'FLA-GET-032'],
    ...['FLA-GET-033', 'FLA-GET-034', 'FLA-GET-035', 'FLA-GET-037', 'FLA-GET-040', 'FLA-GET-080'],
    ...['FLA-SNP-003', 'FLA-SNP-009', 'FLA-SNP-010', 'FLA-SNP-017', 'FLA-SNP-019', 'FLA-SNP-020'],
    ...['FLA-SNP-021', 'FLA-SNP-022', 'FLA-SNP-027', 'FLA-SNP-028', 'FLA-SNP-030', 'FLA-SNP-031'],
    ...['FLA-SNP-032', 'FLA-SNP-033'],
    ...['FLA-SUB-003', 'FLA-SUB-008', 'FLA-SUB-009', 'FLA-SUB-010', 'FLA-SUB-011', 'FLA-SUB-012'],
    ...['FLA-SUB-013', 'FLA-SUB-014', 'FLA-SUB-015', 'FLA-SUB-017', 'FLA-SUB-021', 'FLA-SUB-022'],
    ...['FLA-SUB-023', 'FLA-SUB-024', 'FLA-SUB-025', 'FLA-SUB-026', 'FLA-SUB-027', 'FLA-SUB-028'],
    ...['FLA-SUB-029', 'FLA-SUB-030', 'FLA-SUB-034', 'FLA-SUB-035', 'FLA-SUB-037', 'FLA-SUB-038'],
    ...['FLA-SUB-040', 'FLA-SUB-041', 'FLA-SUB-043'],
  ],
  operations: ['fla.lookup', 'fla.subscribe'],
  // A lookup that is not seen may be why something is kept.
  needs: 'everything',
  createWatch: (known = nothingKnown) => {
    const [world, habits, dates] = [new Flights(), new LookupHabits(), new PastDates()];
    const [subscriptions, blame, same] = [new Subscriptions(), new Blame(), new SameLegs()];
    const [between, simultaneous] = [new BetweenLooks(), new Simultaneous()];
    const clock = new ClockSteps(known.movedMs);
    const notices = new StrayNotices(subscriptions, world);
    const own = new Set(knownFlights.verifies);
    const show = blame.show.bind(blame);
    let suspects: readonly Suspect[] = [];
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (call?.op !== 'fla.lookup' && call?.op !== 'fla.subscribe') return noSamples;
        habits.learn(call, show);
        dates.learn(call, clocksOf(exchange, known), show);
        same.learn(call, world, show);
        between.learn(call, world, show);
        judgeSubscription(call, subscriptions, world, blame);
        const found = [...judgeFlight(call, world, show), ...judgeSchedules(call, world, show)];
        if (found.length > 0 && suspects.length < mostSuspects) suspects = [...suspects, ...found];
        return [...samplesKept(blame, own), ...simultaneous.judge(call).map(sampleOfSaid)];
      },
      delivery: (delivery) => {
        blame.show(...notices.deliver(delivery));
        return samplesKept(blame, own);
      },
      note: (note) => {
        if (note.type === 'claim') habits.claim(note);
        if (note.type !== 'step') return;
        suspects = suspects.filter((one) => !isDuring(one, note));
        world.step(note);
        const since = clock.step(note);
        if (since !== null) dates.doubtSince(since);
        subscriptions.step(note);
        blame.show(...notices.step(note));
      },
      end: () => {
        const { shows } = world;
        const found = suspects.filter(({ needs }) => needs === null || shows[needs]);
        // Where legs are lost whatever their status, it is not their status.
        const isLosing = found.some(({ rule }) => rule === 'FLA-GET-006');
        const sure = found.filter(({ rule }) => !isLosing || rule !== 'FLA-GET-040');
        return [
          ...sure,
          ...habits.end(world),
          ...same.end(),
          ...between.end(),
          ...dates.end(),
          ...notices.end(),
          ...blame.end(),
        ].map(sampleOfViolation);
      },
      forgotten: () => world.forgotten + subscriptions.forgotten + same.forgotten + between.forgotten,
    };
  },
};

/** By how much the clocks that the deployment may have are ahead of ours. */
function clocksOf(exchange: Exchange, { movedMs, toldMs }: Known): readonly number[] {
  const response = responseOf(exchange);
  const date = response && dateOf(response);
  const shown = date === null ? 0 : date - exchange.timings.receivedAt;
  return [0, shown, toldMs ?? movedMs];
}

/** Whether an answer came while a step was under way that may have made it so: in its first millisecond it has not. */
function isDuring({ because, flight }: Suspect, { operation, params, startedAt }: Step): boolean {
  const answer = because.at(-1);
  const isAnswer = answer !== undefined && !isNote(answer) && 'timings' in answer;
  const isOfFlight = flight === null || params === null || flight === flightOf(params);
  const changes = (operation.startsWith('flights.') && isOfFlight) || operation.startsWith('provider.');
  return changes && isAnswer && answer.timings.receivedAt > startedAt;
}
