import { checkinOperations } from '../../../core/operations.ts';
import { Blame } from '../../../spec/kernel/blame.ts';
import { judgeSight, keepRefusal } from '../../../spec/rules/records.ts';
import { judgeListed } from '../../../spec/rules/listed.ts';
import { ListRules } from '../../../spec/rules/lists.ts';
import { JourneyRules, type Moment } from '../../../spec/rules/journeys.ts';
import { ProcessingRules } from '../../../spec/rules/processing.ts';
import { QuotaRules } from '../../../spec/rules/quotas.ts';
import { judgeRepeat } from '../../../spec/rules/repeats.ts';
import { Repeats } from '../../../spec/world/repeats.ts';
import { Bookings } from '../../../spec/world/bookings.ts';
import { ClockSteps } from '../../../spec/world/clockSteps.ts';
import { sightsIn } from '../../../spec/world/sights.ts';
import { dateOf, memberOf, responseOf } from '../../../trace/body.ts';
import { callOf, type Call } from '../../../trace/call.ts';
import { nothingKnown, type Known, type Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOfViolation, samplesKept } from '../../kernel/sample.ts';

/** A booking is as the requests of its enterprise have made it; which sentence is broken is known at the end. */
export const knownBookings: Oracle = {
  id: 'known-bookings',
  replaces: ['listed-as-sent', 'same-readiness'],
  title: 'A booking is as its requests have made it, whatever answer shows it',
  // WCI-STS-002, WCI-STS-008 and WCI-SUB-016 are judged by another oracle as well.
  verifies: [
    ...rows('WCI-MP', '002 011 018'),
    ...rows('WCI-RDY', '001 002 003 004 005 006 007 008 009 010 011 012 013 014 016 020 021 022 023'),
    ...rows('WCI-STS', '007 009 011 013'),
    ...rows('WCI-SUB', '002 003 005 012 014 015 017 018 020 021 037 038 065 074'),
    ...rows('WCI-UPD', '014 018 019 026 027 029 030 033 036 037 045 047'),
    ...rows('WCI-SCP', '006 012'),
    ...rows('WCI-QTA', '003 004 008 011 015 016 017 080'),
    ...rows('WCI-LST', '013 014 020 021 022'),
    ...rows('WCI-JRN', '001 002 003 004 005 011 012 016 017 018'),
    ...rows('WCI-DT', '011 012 013 014 024 025 030'),
  ],
  operations: [...checkinOperations, 'fla.lookup', 'fla.subscribe'],
  needs: 'writes',
  createWatch: (known = nothingKnown) => {
    const [world, blame, clock] = [new Bookings(known), new Blame(), new ClockSteps(known.movedMs)];
    const own = new Set(knownBookings.verifies);
    const repeats = new Repeats(world);
    const lists = new ListRules(world, blame);
    const journeys = new JourneyRules(blame);
    const processing = new ProcessingRules(blame);
    const quotas = new QuotaRules(blame, known.isAlone === true);
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (!call) return noSamples;
        keepRefusal(call, blame);
        if (call.op === 'wci.subscribe') {
          const moment = momentOf(call, known);
          journeys.judge(call, moment);
          processing.judge(call, moment);
        }
        quotas.judge(call, world.of(call.enterprise, memberOf(exchange, 'checkin_id')) !== null);
        judgeRepeat(call, repeats, world, blame);
        world.learn(call);
        repeats.learn(call);
        lists.learn(call);
        lists.judge(call);
        for (const sight of sightsIn(exchange)) {
          const booking = world.of(call.enterprise, sight.record.checkin_id);
          if (!booking) continue;
          // An update is judged by what is read later: what its own answer shows is open.
          if (sight.by !== 'update') judgeSight(sight, booking, world, blame);
          judgeListed(sight, booking, blame);
          lists.see(sight, booking);
          journeys.see(sight, booking);
          world.see(sight, booking);
        }
        return samplesKept(blame, own);
      },
      note: (note) => {
        if (note.type !== 'step') return;
        world.step(note);
        const since = clock.step(note);
        if (since !== null) for (const one of [world, journeys]) one.doubtSince(since);
        lists.listings.step(note);
        processing.step(note.operation);
        quotas.step(note);
      },
      end: () => {
        journeys.end();
        processing.end();
        quotas.end();
        return [...blame.end().map(sampleOfViolation), ...samplesKept(blame, own)];
      },
      forgotten: () => world.forgotten,
    };
  },
};

/** The deployment's clock, as we reckon it, as its state handler tells it, and as its answer shows it. */
function momentOf({ exchange, sentAt, receivedAt }: Call, { movedMs, toldMs = null }: Known): Moment {
  const response = responseOf(exchange);
  const date = response ? dateOf(response) : null;
  const ahead = [movedMs, toldMs ?? movedMs];
  const from = Math.min(sentAt, receivedAt) + Math.min(...ahead);
  const to = Math.max(sentAt, receivedAt) + Math.max(...ahead);
  return date === null ? { from, to } : { from: Math.min(from, date), to: Math.max(to, date) };
}

function rows(section: string, numbers: string): readonly string[] {
  return numbers.split(' ').map((number) => `${section}-${number}`);
}
