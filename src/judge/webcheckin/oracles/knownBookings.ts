import type { Exchange } from '../../../core/evidence.ts';
import { checkinOperations } from '../../../core/operations.ts';
import { Blame } from '../../../spec/kernel/blame.ts';
import { judgeSight, keepRefusal, showUpdated } from '../../../spec/rules/records.ts';
import { judgeListed } from '../../../spec/rules/listed.ts';
import { brokenListRows, ListRules } from '../../../spec/rules/lists.ts';
import { JourneyRules, type Moment } from '../../../spec/rules/journeys.ts';
import { OtherDays } from '../../../spec/rules/otherDays.ts';
import { ProcessingRules } from '../../../spec/rules/processing.ts';
import { QuotaRules } from '../../../spec/rules/quotas.ts';
import { judgeReason } from '../../../spec/rules/rejectionReasons.ts';
import { judgeRepeat } from '../../../spec/rules/repeats.ts';
import { RepeatTraces } from '../../../spec/rules/repeatTraces.ts';
import { Repeats } from '../../../spec/world/repeats.ts';
import { UpdateAnswers } from '../../../spec/rules/updateAnswers.ts';
import { Bookings } from '../../../spec/world/bookings.ts';
import { ClockSteps } from '../../../spec/world/clockSteps.ts';
import { sightsIn } from '../../../spec/world/sights.ts';
import { dateOf, memberOf, responseOf } from '../../../trace/body.ts';
import { callOf, type Call } from '../../../trace/call.ts';
import { answeredOtherwise, dueAnswer, invalid, ok } from '../../kernel/answer.ts';
import type { Judgement } from '../../kernel/judgement.ts';
import { nothingKnown, type Known, type Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOf, sampleOfSaid, sampleOfViolation, samplesKept } from '../../kernel/sample.ts';

/** Other oracles judge these as well, and name them. */
const shared = [
  'SHR-AUT-013',
  'WCI-MP-002',
  'WCI-SCP-012',
  ...rows('WCI-STS', '009 011 013'),
  ...rows('WCI-LST', '005 028'),
];

/** A booking is as the requests of its enterprise have made it; which sentence is broken is known at the end. */
export const knownBookings: Oracle = {
  id: 'known-bookings',
  replaces: ['listed-as-sent', 'same-readiness'],
  title: 'A booking is as its requests have made it, whatever answer shows it',
  // WCI-STS-002, WCI-STS-008, WCI-SUB-016, WCI-UPD-005, WCI-UPD-034 and the ways to send an update are judged by another oracle as well.
  verifies: [
    ...rows('WCI-MP', '011 018'),
    ...rows('WCI-RDY', '001 002 003 004 005 006 007 008 009 010 011 012 013 014 015 016 020 021 022 023 080'),
    ...rows('WCI-STS', '007'),
    ...rows('WCI-SUB', '002 003 004 005 014 015 017 018 019 020 021 037 038 065 072 074'),
    ...rows('WCI-UPD', '014 018 019 026 027 028 029 030 033 036 037 045 046 047'),
    ...rows('WCI-SCP', '006 009'),
    ...rows('WCI-QTA', '001 002 003 004 005 006 008 010 011 012 013 014 015 016 017 080'),
    ...rows('WCI-LST', '004 013 014 020 021 022 024 029'),
    'WCI-CBR-021',
    ...rows('WCI-JRN', '001 002 003 004 005 011 012 013 015 016 017 018 020'),
    ...rows('WCI-DT', '001 011 012 013 014 019 024 025 030'),
  ],
  operations: [...checkinOperations, 'fla.lookup', 'fla.subscribe'],
  needs: 'writes',
  createWatch: (known = nothingKnown) => {
    const [world, blame, clock] = [new Bookings(known), new Blame(), new ClockSteps(known.movedMs)];
    const own = new Set([...knownBookings.verifies, ...shared]);
    const repeats = new Repeats(world);
    const traces = new RepeatTraces(world, blame);
    const answers = new UpdateAnswers(world, blame);
    const lists = new ListRules(world, blame);
    const journeys = new JourneyRules(blame);
    const days = new OtherDays(blame);
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
          days.judge(call, moment);
          judgeReason(call, blame);
          processing.judge(call, moment);
        }
        const id = call.op === 'wci.subscribe' ? memberOf(exchange, 'checkin_id') : idIn(call);
        const said = quotas.judge(call, world.of(call.enterprise, id) !== null);
        judgeRepeat(call, repeats, world, blame);
        traces.learn(call, repeats);
        world.learn(call);
        repeats.learn(call);
        lists.learn(call);
        lists.judge(call);
        for (const sight of sightsIn(exchange)) {
          const booking = world.of(call.enterprise, sight.record.checkin_id);
          if (!booking) continue;
          // An update is judged by what is read later: what its own answer shows is open.
          if (sight.by === 'update') showUpdated(sight, booking, blame);
          else judgeSight(sight, booking, world, blame);
          answers.see(sight, booking);
          judgeListed(sight, booking, blame);
          traces.see(sight, booking);
          lists.see(sight, booking);
          journeys.see(sight, booking);
          world.see(sight, booking);
        }
        return [...said.map(sampleOfSaid), ...samplesKept(blame, own)];
      },
      note: (note) => {
        if (note.type !== 'step') return;
        world.step(note);
        const since = clock.step(note);
        if (since !== null) for (const one of [world, journeys, days]) one.doubtSince(since);
        lists.listings.step(note);
        processing.step(note.operation);
        quotas.step(note);
      },
      end: () => {
        journeys.end();
        days.end(journeys.isOff);
        processing.end();
        quotas.end();
        return [...blame.end().map(sampleOfViolation), ...samplesKept(blame, own)];
      },
      suspicion: (exchange) => {
        const call = callOf(exchange);
        return call ? brokenListRows(call).map((rule) => sampleOf(rule, listDue(exchange))) : noSamples;
      },
      forgotten: () => world.forgotten,
    };
  },
};

function idIn({ body, query }: Call): unknown {
  return body?.checkin_id ?? query.checkin_id;
}

function listDue(exchange: Exchange): Judgement {
  return answeredOtherwise(exchange, dueAnswer(ok, invalid), 'list-error');
}

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
