import {
  type CheckContext,
  type Delivery,
  type Judgement,
  type Shown,
  type Waited,
  distinctEvents,
  eventOf,
  heaviest,
  holds,
  isAccepted,
  memberOf,
  objectsAt,
  property,
  recordOf,
  responseOf,
  shownBy,
  status,
  subscribe,
  suite,
  update,
  without,
  is,
  ofAnother,
  noneDue,
} from '../checks.ts';
import { type SceneStep, scenes, stepsPerScenario } from '../support/callbackScenarios.ts';
import { readUntil } from '../support/checkin.ts';
import { newEnterprise } from '../support/enterprises.ts';
import { comparableHistory } from '../support/looks.ts';
import {
  type WebhookHistory,
  pushesEverything,
  pushesNothingElse,
  pushesNothingTwice,
} from '../support/webhookHistory.ts';
import { callbackDataFor } from '../support/webhooks.ts';
import {
  type SceneRecord,
  keysPerEnterprise,
  placeInScene,
  CallbackStage,
} from '../support/callbackStage.ts';

export default suite('Callbacks and polled states', [
  property({
    id: 'wci.callbacks.story',
    title: 'callbacks and polled states agree, whatever is done and whatever happens to deliveries',
    verifies: ['WCI-CB-014', 'WCI-CB-015', 'WCI-CB-020', 'WCI-CB-021', 'WCI-CB-022'],
    needs: [
      ...['sink', 'state:enterprise.create', 'state:automation.set', 'state:checkin.progress'],
      ...['state:clock.advance', 'state:callbacks.pending'],
    ] as const,
    uses: ['complete-record'],
    exclusive: true,
    mostPerCase: { requests: stepsPerScenario + 1, quota: 4 },
    maxCases: 40,
    run: async (t) => {
      const units = 4 * (t.cases + 60);
      const pools = [
        await newEnterprise(t, units, keysPerEnterprise),
        await newEnterprise(t, units, keysPerEnterprise),
      ];
      let played = 0;
      await t.state.set('automation.set', { mode: 'manual' });
      try {
        await t.forAll('a scene', scenes, async (scene) => {
          const turn = played++ % keysPerEnterprise;
          const bodies = [await t.fixtures.booking(), await t.fixtures.booking()];
          const keys = pools.map((pool) => pool[turn]);
          const stage = new CallbackStage(t, scene, keys, bodies);
          for (const step of scene.steps) await play(t, stage, step);
          await judge(t, stage, await drain(t));
        });
      } finally {
        await t.state.set('automation.set', { mode: 'auto' });
      }
    },
  }),
]);

/** A step on a record that is there. */
interface On {
  readonly stage: CallbackStage;
  readonly step: SceneStep;
  readonly actor: SceneRecord;
}

/** Where there is no record yet, every step makes one. */
async function play(t: CheckContext, stage: CallbackStage, step: SceneStep): Promise<void> {
  // Events of one instant could not be distinguished.
  await t.sleep(5);
  const actor = stage.actors.get(placeInScene(step));
  if (!actor) return enter(t, stage, step);
  const on = { stage, step, actor };
  if (step.do === 'subscribe') return repeat(t, on);
  if (step.do === 'replace') return replace(t, on);
  if (step.do === 'progress') return progress(t, on);
  await read(t, on);
}

async function enter(t: CheckContext, stage: CallbackStage, step: SceneStep): Promise<void> {
  const address = step.hooked ? stage.open(step) : null;
  const plain = stage.body(step);
  const body = address ? { ...plain, callbackData: callbackDataFor(t, address.url) } : plain;
  const exchange = await t.send(subscribe(body, { key: stage.keyOf(step) }));
  const record = recordOf(body, exchange);
  const shown = shownBy(exchange);
  const polled = shown ? [shown] : [];
  const { enterprise } = step;
  stage.actors.set(placeInScene(step), {
    record,
    enterprise,
    address,
    polled,
    moves: [],
    updates: 0,
    reads: [exchange],
  });
}

async function repeat(t: CheckContext, { stage, step, actor }: On): Promise<void> {
  const { body, checkinId } = actor.record;
  // Whether what has ended is subscribed anew is open (WCI-OPN-061), and would be another story.
  if (actor.polled.some(({ status }) => status === 'FAILED' || status === 'COMPLETED')) return;
  const sent = step.hooked ? body : without(body, 'callbackData');
  const exchange = await t.send(subscribe(sent, { key: stage.keyOf(step) }));
  const isSame = isAccepted(exchange) && memberOf(exchange, 'checkin_id') === checkinId;
  t.assume(isSame, 'the repeated subscribe made another request');
}

async function replace(t: CheckContext, on: On): Promise<void> {
  const { stage, step, actor } = on;
  const { body, checkinId } = actor.record;
  const passengers = objectsAt(body, 'passengers').map((one) =>
    // An email is missed of a domestic journey as well.
    step.complete ? one : without(one, 'passport', 'email'),
  );
  const exchange = await t.send(update({ checkin_id: checkinId, passengers }, { key: stage.keyOf(step) }));
  const code = responseOf(exchange)?.status;
  t.assume(code === 200 || code === 409 || code === 422, `an update answered ${code ?? 'nothing'}`);
  if (code !== 409) actor.updates += 1;
  const shown = shownBy(exchange);
  if (shown) actor.polled.push(shown);
  // What an update completes may take a moment to be found complete.
  const isThere = (one: Shown) =>
    one.status !== 'SCHEDULED' || !step.complete || code !== 200 || isEmpty(one.missing_info);
  await read(t, on, isThere);
}

async function progress(t: CheckContext, on: On): Promise<void> {
  const { step, actor } = on;
  const { record, address } = actor;
  const before = actor.polled.at(-1);
  const count = address?.mailbox.count ?? 0;
  await t.state.set('checkin.progress', { checkin_id: record.checkinId, status: step.to });
  const isChange = before !== undefined && before.status !== step.to;
  if (address && isChange) {
    const waited = await t.callbacks.wait(address, () => address.mailbox.count > count, {
      patienceMs: t.grace(1_000),
    });
    // Changes that wait together may be folded into one event: none waits longer than to the next step.
    if (waited === 'patience') await drain(t);
  }
  const shown = await read(t, on, (one) => one.status === step.to);
  t.assume(shown?.status === step.to, `the state handler did not make the record ${step.to}`);
  if (isChange && shown) actor.moves.push({ from: before, to: shown });
}

async function read(
  t: CheckContext,
  { stage, step, actor }: On,
  isThere: (shown: Shown) => boolean = () => true,
): Promise<Shown | null> {
  const send = () => t.send(status({ checkin_id: actor.record.checkinId }, { key: stage.keyOf(step) }));
  const exchange = await readUntil(t, send, (one) => {
    const shown = shownBy(one);
    return shown === null || isThere(shown);
  });
  const shown = shownBy(exchange);
  if (shown) actor.polled.push(shown);
  actor.reads.push(exchange);
  return shown;
}

/** Seconds that time is moved on by, in turn, until nothing is to be delivered any more. */
const drains = [30, 300, 1_800, 3_600, 7_200];

async function drain(t: CheckContext): Promise<Waited> {
  await t.callbacks.settle({ patienceMs: t.grace(200) });
  for (const seconds of t.state.clock.has('callbacks') ? drains : []) {
    if (!(await isPending(t))) return 'nothing-pending';
    await t.state.set('clock.advance', { seconds });
    await t.callbacks.settle({ patienceMs: t.grace(100) });
  }
  return t.callbacks.settle();
}

async function isPending(t: CheckContext): Promise<boolean> {
  return (await t.state.set('callbacks.pending', {})).pending !== 0;
}

async function judge(t: CheckContext, stage: CallbackStage, drained: Waited): Promise<void> {
  const deliveries = stage.addresses.flatMap(({ mailbox }) => mailbox.deliveries);
  const isPartial = drained !== 'nothing-pending' || deliveries.some(({ truncated }) => truncated);
  for (const actor of stage.actors.values()) {
    const history = await comparableHistory(t, actor.record, historyOf(actor, deliveries, isPartial));
    const evidence = [...actor.reads, ...history.events.map(({ delivery }) => delivery)];
    const strays = intrusions(actor, stage);
    t.judge(evidence, { 'WCI-CB-022': strays });
    if (!actor.address) {
      t.judge(evidence, { 'WCI-CB-014': saysNothing(history) });
      continue;
    }
    const truth = pushesNothingElse(history);
    if (truth.status === 'violated') t.judge(evidence, { 'WCI-CB-020': truth });
    const told = { everything: pushesEverything(history), once: pushesNothingTwice(history) };
    // A callback of which nothing was read keeps the rest from being judged, and nothing else.
    t.judge(evidence, {
      'WCI-CB-020': truth,
      ...(told.everything.status === 'unclear' ? {} : { 'WCI-CB-021': told.everything }),
      ...(told.once.status === 'unclear' ? {} : { 'WCI-CB-015': told.once }),
    });
  }
}

function historyOf(actor: SceneRecord, deliveries: readonly Delivery[], isPartial: boolean): WebhookHistory {
  const { record, address, polled, moves, updates } = actor;
  const { checkinId } = record;
  const isOwn = ({ registration }: Delivery) => registration === address?.mailbox.token;
  const events = distinctEvents(deliveries).filter(
    (event) => (event.checkinId ?? (isOwn(event.delivery) ? checkinId : null)) === checkinId,
  );
  return { checkinId, polled, moves, updates, events, isPartial };
}

function saysNothing({ events, checkinId }: WebhookHistory): Judgement {
  if (events.length === 0) return holds;
  const got = is.number(events.length, 'deliveries', `of ${checkinId}`);

  return noneDue('unasked', 'of a request without callbackData', got);
}

/** Events of a record at an address of the other enterprise. */
function intrusions({ record, enterprise }: SceneRecord, stage: CallbackStage): Judgement {
  const foreign = [...stage.actors.values()].filter((other) => other.enterprise !== enterprise);
  return heaviest(
    foreign.map(({ address }) => {
      const stray = address?.mailbox.deliveries.find(
        (delivery) => eventOf(delivery)?.checkinId === record.checkinId,
      );
      return stray ? ofAnother('enterprise', 'checkin_id', 'enterprise', record.checkinId, [stray]) : holds;
    }),
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
