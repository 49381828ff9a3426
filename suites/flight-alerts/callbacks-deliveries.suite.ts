import { notOnce } from '../support/retries.ts';
import {
  type CheckContext,
  type Delivery,
  type FlightLeg,
  type Judgement,
  type Route,
  all,
  answered,
  found,
  fixed,
  holds,
  judgeFid,
  judgeSupplied,
  invalid,
  isAtAddress,
  notApplicable,
  noticesOf,
  property,
  suite,
} from '../checks.ts';
import { type CallbackForm, anyCallbackForm, callbackForms, fidOf } from '../support/fids.ts';
import { legOn, put, subscribeTo } from '../support/flights.ts';
import { deliveriesSince, isSettled, subscriber, tellGate, tellsGate } from '../support/notices.ts';

import { unlessUnclear } from '../support/unlessUnclear.ts';

const route: Route = ['DOH', 'SIN'];
const needs = ['public-sink', 'state:flights.put', 'state:flights.change'] as const;

export default suite('Flight alerts: how notifications are delivered', [
  fixed({
    id: 'fla.callbacks.echo',
    title: 'a fid is echoed exactly, at exactly the registered URL, whatever they look like',
    verifies: ['FLA-CB-001', 'FLA-CB-006', 'FLA-CB-030'],
    needs,
    run: (t) => t.each(callbackForms, (form) => echo(t, form)),
  }),

  property({
    id: 'fla.callbacks.any',
    title: 'every allowed fid is echoed exactly, at every allowed URL',
    verifies: ['FLA-CB-001', 'FLA-CB-006', 'FLA-CB-030'],
    needs,
    maxCases: 8,
    run: (t) => t.forAll('a callback', anyCallbackForm, (form) => echo(t, form)),
  }),

  fixed({
    id: 'fla.callbacks.supplied',
    title: 'an auth_header that is supplied against the rules is not used for delivery',
    verifies: ['FLA-CBR-016'],
    // A deployment that refuses it, as the reference does, keeps no subscription.
    needs: [...needs, 'writes', 'subscriptions'],
    run: async (t) => {
      const leg = await newLeg(t);
      const auth = t.identities.authHeader();
      const address = t.callbacks.open('flight-alerts');
      const callback = { fid: t.identities.fid(), callbackUrl: `${address.url}/changes` };
      const subscribed = await subscribeTo(t, leg, { ...callback, auth_header: auth });
      if (answered(subscribed, invalid).status === 'holds') {
        t.judge(subscribed, { 'FLA-CBR-016': notApplicable });
        return;
      }
      t.assume(answered(subscribed, { status: 200 }).status === 'holds', `${subscribed.id}: no callback`);
      const told = await tellGate(t, { leg, address, callback, key: undefined, subscribed });
      t.assume(told.deliveries.length > 0, 'its change is not notified');
      t.judge([subscribed, ...told.deliveries], {
        ...found((findings) => {
          for (const delivery of told.deliveries) judgeSupplied(delivery, [auth], findings);
        }),
      });
    },
  }),

  fixed({
    id: 'fla.callbacks.habit',
    title: 'of several notifications that were taken not each one comes twice',
    verifies: ['FLA-CB-031'],
    needs,
    run: async (t) => {
      const told = await subscriber(t, await newLeg(t));
      const gates: string[] = [];
      for (let count = 0; count < habit; count += 1) {
        const { gate, isTold } = await tellGate(t, told);
        t.assume(isTold.status === 'holds', 'a change was not notified');
        gates.push(gate);
      }
      await isSettled(t);
      const deliveries = deliveriesSince(told, 0);
      t.judge([told.subscribed, ...deliveries], { 'FLA-CB-031': repeatedByHabit(deliveries, gates) });
    },
  }),
]);

async function newLeg(t: CheckContext): Promise<FlightLeg> {
  return legOn(await put(t, [{ route }]), route);
}

async function echo(t: CheckContext, form: CallbackForm): Promise<void> {
  const fid = fidOf(t, form);
  const registering = subscriber(t, await newLeg(t), { fid, below: form.below });
  // No length of a callbackUrl is stated, and a deployment may limit it; the unit of a fid's characters is open.
  const registered = await (form.isExtreme ? unlessUnclear(registering) : registering);
  if (!registered) return;
  const { deliveries, isTold } = await tellGate(t, registered);
  const { callbackUrl } = registered.callback;
  const fids = noticesOf(deliveries).flatMap((notice) => (notice.fid === undefined ? [] : [notice.fid]));
  t.judge([registered.subscribed, ...deliveries], {
    'FLA-CB-001': isTold,
    ...found((findings) => {
      for (const one of fids) judgeFid(one, [{ fid }], findings);
    }),
    'FLA-CB-030': all(...deliveries.map((delivery) => isAtAddress(delivery, [callbackUrl]))),
  });
}

function ofGate(deliveries: readonly Delivery[], gate: string): readonly Delivery[] {
  return deliveries.filter((delivery) => noticesOf([delivery]).some(tellsGate(gate)));
}

/** Consecutive changes that are all notified twice, which is no coincidence. */
const habit = 3;

function repeatedByHabit(deliveries: readonly Delivery[], gates: readonly string[]): Judgement {
  const taken = deliveries.filter(({ answer }) => answer.startsWith('2'));
  const isSeldom = gates.some((gate) => ofGate(taken, gate).length < 2);
  if (isSeldom) return holds;
  return notOnce(gates.length, 'changes');
}
