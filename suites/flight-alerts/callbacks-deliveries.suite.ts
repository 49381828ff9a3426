import {
  property,
  fixed,
  notApplicable,
  responseOf,
  suite,
  type CheckContext,
  type FlightLeg,
  type Route,
} from '../checks.ts';
import { type CallbackForm, anyCallbackForm, callbackForms, fidOf } from '../support/fids.ts';
import { legOn, put, subscribeTo } from '../support/flights.ts';
import { isSettled, subscriber, tellGate } from '../support/notices.ts';
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
      const address = t.callbacks.open('flight-alerts');
      const callback = { fid: t.identities.fid(), callbackUrl: `${address.url}/changes` };
      const sent = { ...callback, auth_header: t.identities.authHeader() };
      const subscribed = await subscribeTo(t, leg, sent);
      if (responseOf(subscribed)?.status === 400) t.judge(subscribed, { 'FLA-CBR-016': notApplicable });
      else await tellGate(t, { leg, address, callback, key: undefined, subscribed });
    },
  }),

  fixed({
    id: 'fla.callbacks.habit',
    title: 'of several notifications that were taken not each one comes twice',
    verifies: ['FLA-CB-031'],
    needs,
    run: async (t) => {
      const told = await subscriber(t, await newLeg(t));
      for (let count = 0; count < 3; count += 1) await tellGate(t, told);
      await isSettled(t);
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
  if (registered) await tellGate(t, registered);
}
