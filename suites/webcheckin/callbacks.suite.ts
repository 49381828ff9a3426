import {
  type Change,
  type CheckContext,
  type Judgement,
  type Shown,
  agreesWith,
  changesForm,
  fixed,
  heaviest,
  isPushed,
  oracles,
  passive,
  shownBy,
  suite,
  tellsChanges,
  tellsCompletion,
  tellsNoMore,
  tellsText,
  unclear,
  update,
  withoutPassports,
} from '../checks.ts';
import { agreement } from '../support/agreement.ts';
import { untilTick } from '../support/clocks.ts';
import {
  type Moved,
  type Movement,
  evidenceOfChange,
  goesOn,
  judged,
  knownAfter,
  moved,
  progress,
} from '../support/movements.ts';
import { type Hooked, firstChange, eventsOf, hooked, isTold, taken } from '../support/webhooks.ts';
import { observeForm } from '../support/eventForms.ts';
import { forms, optionsOf } from '../support/registeredForms.ts';
import { settled } from '../support/settledChange.ts';
import { unlessUnclear } from '../support/unlessUnclear.ts';

const pass = (number: number) => `https://boarding.example.com/gatecheck/pass-${number}.pdf`;

const completed: Movement = { status: 'COMPLETED', boarding_passes: [pass(1), pass(2)] };

const waiting: Movement = { status: 'SCHEDULED', sub_status: 'COMPLETE_INFO' };

/** Ways of a record through its states, in which every change has to be pushed. */
const ways: readonly { readonly name: string; readonly steps: readonly Movement[] }[] = [
  { name: 'to completion', steps: [{ status: 'IN_PROGRESS' }, completed] },
  {
    name: 'to completion after a failure',
    steps: [
      { status: 'IN_PROGRESS' },
      { status: 'FAILED', checkin_message: 'Gatecheck: the airline did not answer.' },
      // What was pushed before is pushed again.
      { status: 'IN_PROGRESS' },
      { status: 'FAILED' },
      { status: 'COMPLETED', boarding_passes: [pass(3)] },
    ],
  },
];

export default suite('Events: webcheckin.update', [
  passive('wci', oracles.webhookRequest),
  passive('wci', oracles.owedEvents),

  fixed({
    id: 'wci.callbacks.changes',
    title: 'every state change is pushed, with the values that status then shows',
    verifies: [
      ...['WCI-CB-001', 'WCI-CB-011', 'WCI-CB-012', 'WCI-CB-013', 'WCI-CB-020', 'WCI-CB-021'],
      ...['WCI-OPN-022', 'WCI-OPN-023', 'WCI-OPN-057'],
    ],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      await t.each(ways, async ({ steps }) => {
        const hook = await hooked(t);
        const moves: Moved[] = [];
        for (const to of steps) {
          const last = moves.at(-1);
          const isAgain = moves.some(({ change }) => change.after.status === to.status);
          // In the second of an equal event it would be the same, and count as its repetition.
          if (isAgain) await untilTick(t, null);
          moves.push(await moved(t, hook, last ? knownAfter(last, hook) : hook.shown, to));
        }
        for (const move of moves) observeForm(t, move);
        const texts = moves.flatMap(({ change }, at) => textsLeftOut(change, steps[at]?.checkin_message));
        t.judge(
          moves.flatMap(evidenceOfChange),
          judgeWay(
            moves.map((move) => judged(t, move)),
            texts,
          ),
        );
      });
    },
  }),

  fixed({
    id: 'wci.callbacks.emission',
    title:
      'which of creation, update and a change of sub_status alone are pushed, and that they agree with what is read',
    verifies: ['WCI-OPN-021', 'WCI-OPN-022', 'WCI-CB-011', 'WCI-CB-020'],
    needs: ['sink'],
    uses: ['complete-record'],
    run: async (t) => {
      const whole = await t.fixtures.booking();
      const hook = await hooked(t, { body: withoutPassports(whole) });
      await t.callbacks.settle();
      const creation = eventsOf(hook).length > 0;
      await untilTick(t, null);
      const from = hook.address.mailbox.deliveries.length;
      const updated = await taken(
        t,
        update({ checkin_id: hook.record.checkinId, passengers: whole.passengers }, { key: hook.key }),
      );
      const byUpdate = await settled(t, hook, hook.shown, from);
      if (byUpdate.change.events.length > 0) judgeExtra(t, byUpdate, [updated]);
      const bySubStatus = t.state.offers('checkin.progress')
        ? await subStatusAlone(t, hook, byUpdate.change.after)
        : byUpdate;
      const isPushedAlone = bySubStatus.change.events.length > 0;
      if (isPushedAlone) judgeExtra(t, bySubStatus, []);
      t.observe('WCI-OPN-021', emissionOf(creation, isPushedAlone), bySubStatus.read);
      const silent = byUpdate.change.events.length === 0 && !isPushedAlone;
      if (silent) t.skip('neither an update nor a change of sub_status alone is pushed');
    },
  }),

  fixed({
    id: 'wci.callbacks.after-update',
    title: 'callbacks go on after an update of the passengers and of the pnr',
    verifies: ['WCI-CB-026'],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      await t.each(['passengers', 'pnr'] as const, async (type) => {
        const hook = await hooked(t);
        const { checkinId: checkin_id, body } = hook.record;
        const { passengers } = body;
        const changes =
          type === 'passengers' ? { passengers } : { type, payload: { pnr: t.identities.pnr() } };
        const x = await taken(t, update({ checkin_id, ...changes }, { key: hook.key }));
        const isAhead = isTold(hook, 'IN_PROGRESS');
        const move = await moved(t, hook, shownBy(x) ?? hook.shown, { status: 'IN_PROGRESS' });
        t.judge([x, ...evidenceOfChange(move)], { 'WCI-CB-026': goesOn(move, isAhead) });
      });
    },
  }),

  fixed({
    id: 'wci.callbacks.back',
    title: 'that a record waits again is pushed',
    verifies: ['WCI-CB-021'],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      const hook = await hooked(t);
      const failed = await moved(t, hook, hook.shown, { status: 'FAILED' });
      // In the second of the creation an event with all fields would be the same as that of the creation, and count as its repetition.
      await untilTick(t, null);
      const back = await moved(t, hook, failed.change.after, waiting).catch(() =>
        t.skip('the state handler does not let a record wait again'),
      );
      t.judge(evidenceOfChange(back), { 'WCI-CB-021': isPushed(judged(t, back)) });
    },
  }),

  fixed({
    id: 'wci.callbacks.forms',
    title: 'a callback goes to the address as it was registered, with the header as it was registered',
    // Where it goes and what it carries is judged of every delivery.
    verifies: ['WCI-CB-001', 'WCI-CB-020'],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      await t.each(forms, async (form) => {
        const options = await optionsOf(t, form);
        const hook = await (form.isExtreme ? unlessUnclear(hooked(t, options)) : hooked(t, options));
        if (!hook) return;
        await progress(t, hook, { status: 'IN_PROGRESS' });
        const waited = await t.callbacks.wait(hook.address, (deliveries) => deliveries.length > 0);
        const change = firstChange(hook, waited);
        // Whether what is beyond ASCII can be sent at all is a matter of HTTP.
        const pushed = form.isAscii ? isPushed(change) : unclear('no callback came');
        const [delivery] = hook.address.mailbox.deliveries;
        if (!delivery) t.judge(hook.record.subscribed, { 'WCI-CB-001': pushed });
        if (!delivery) return;
        t.judge([hook.record.subscribed, delivery], { 'WCI-CB-001': isPushed(change) });
        // Of records made otherwise other checks see that what is pushed is what is read.
        if (form.isMultipart) t.judge(...(await agreement(t, hook, 'IN_PROGRESS')));
      });
    },
  }),
]);

/** The first change shows whether any is pushed, the others whether each is. */
function judgeWay(
  changes: readonly Change[],
  texts: readonly Judgement[],
): Readonly<Record<string, Judgement>> {
  const [first, ...others] = changes;
  const told = changes.filter(({ events }) => events.length > 0);
  const each = (judge: (change: Change) => Judgement) => heaviest(told.map(judge));
  const values = {
    'WCI-CB-011': heaviest([each(tellsChanges), ...texts]),
    'WCI-CB-012': each(tellsNoMore),
    'WCI-CB-020': each(agreesWith),
  };
  return {
    ...(first ? { 'WCI-CB-001': isPushed(first) } : {}),
    'WCI-CB-021': heaviest(others.map(isPushed)),
    'WCI-CB-013': heaviest(changes.filter(({ after }) => after.status === 'COMPLETED').map(tellsCompletion)),
    ...(told.length > 0 ? values : {}),
  };
}

/** A text for people that the automation was given, that the status shows word for word, and that no event has. */
function textsLeftOut(change: Change, given: string | undefined): readonly Judgement[] {
  const judgement = given === undefined ? null : tellsText(change, given);
  return judgement?.status === 'violated' ? [judgement] : [];
}

/** An event that need not be sent has to be true all the same. */
function judgeExtra(t: CheckContext, move: Moved, evidence: readonly Moved['read'][]): void {
  const form = changesForm(move.change);
  if (form !== null) t.observe('WCI-OPN-022', form, move.read);
  const change = judged(t, move);
  t.judge([...evidence, ...evidenceOfChange(move)], {
    'WCI-CB-011': tellsChanges(change),
    'WCI-CB-020': agreesWith(change),
  });
}

async function subStatusAlone(t: CheckContext, hook: Hooked, before: Shown): Promise<Moved> {
  // Automation does not go on with what has failed, however long the wait is.
  const first = await moved(t, hook, before, { status: 'FAILED' });
  await untilTick(t, null);
  const from = hook.address.mailbox.deliveries.length;
  await progress(t, hook, { status: 'FAILED', sub_status: 'GATECHECK_STEP_TWO' });
  const second = await settled(t, hook, first.change.after, from);
  t.assume(second.change.after.status === 'FAILED', 'the record was moved by another party');
  return second;
}

function emissionOf(creation: boolean, subStatus: boolean): string {
  if (creation) return subStatus ? 'creation-and-sub-status' : 'creation';
  return subStatus ? 'sub-status' : 'none';
}
