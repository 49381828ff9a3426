import {
  type CheckContext,
  type FlightLeg,
  type Judgement,
  type NotificationScenario,
  type Route,
  generate,
  holds,
  keyOf,
  legAt,
  noticesOf,
  property,
  refusing,
  suite,
  valueAt,
  differs,
  is,
  ofAnother,
  noneDue,
} from '../checks.ts';
import { legOn, lookUp, put, subscribeTo } from '../support/flights.ts';
import {
  authorizationsOf,
  changeLeg,
  control,
  deliveriesSince,
  newGate,
  noticesSince,
  subscribeAgain,
  subscriber,
  tellGate,
  tellsGate,
  untold,
} from '../support/notices.ts';
import { type Actor, type GateChange, type Past, Setup } from '../support/notificationSetup.ts';

const commandsPerScene = 8;
const [firstRoute, secondRoute] = generate.journey as [Route, Route];

export default suite('Flight alerts: notifications and polled states', [
  property({
    id: 'fla.callbacks.story',
    title: 'notifications and lookups agree, whatever is subscribed, changed or refused',
    verifies: [
      'FLA-CB-001',
      'FLA-CB-008',
      'FLA-CB-017',
      'FLA-CB-018',
      'FLA-CB-019',
      'FLA-CB-021',
      'FLA-SUB-007',
      'FLA-SUB-014',
    ],
    needs: ['public-sink', 'state:flights.put', 'state:flights.change'],
    tags: [refusing],
    mostPerCase: { requests: commandsPerScene + 1, subscriptions: 4 },
    maxCases: 10,
    run: async (t) => {
      await t.forAll('a scene', generate.notificationScenarios(commandsPerScene), (scene) => play(t, scene));
    },
  }),
]);

async function play(t: CheckContext, scene: NotificationScenario): Promise<void> {
  const stage = await Setup.open(t, scene);
  for (const command of scene.commands) {
    await stage.play(command);
    await judgeMissed(t, stage);
  }
  // The last change of each leg is notified after everything that might have been notified wrongly before.
  for (const leg of [0, 1]) {
    await stage.change(leg);
    await judgeMissed(t, stage);
  }
  await awaitEnd(t, stage);
  await judgeStrays(t, stage);
  await judgePolled(t, stage);
  t.judge(stage.evidence, Object.fromEntries(rulesMet(stage).map((rule) => [rule, holds])));
}

/** Waits until nothing is pending any more, or a further change of every callback's leg is notified. */
async function awaitEnd(t: CheckContext, stage: Setup): Promise<void> {
  const settled = await t.callbacks.settle({ patienceMs: 1_500, besideRepetitions: true });
  if (settled === 'nothing-pending') return;
  for (const { subscriber: one, hasCallback } of stage.actors) if (hasCallback) await control(t, one);
}

/** The callbacks that were not notified of the latest change. */
async function judgeMissed(t: CheckContext, stage: Setup): Promise<void> {
  const latest = stage.changes.at(-1);
  const [actor] = latest?.missed ?? [];
  if (!latest || !actor) return;
  const rule = await blameFor(t, actor);
  t.judge(stage.evidence, { [rule]: untold(latest.gate) });
}

const rulesOfPast: Readonly<Record<Past, string>> = {
  attach: 'FLA-CB-018',
  retry: 'FLA-SUB-007',
  polling: 'FLA-CB-019',
};

/** The rule that a subscription without notifications breaks: tried alone on a new leg, with one part of its history. */
async function blameFor(t: CheckContext, { past }: Actor): Promise<string> {
  if (await missesAlone(t, null)) return 'FLA-CB-001';
  for (const one of ['attach', 'retry', 'polling'] as const)
    if (past.has(one) && (await missesAlone(t, one))) return rulesOfPast[one];
  return 'FLA-CB-001';
}

async function missesAlone(t: CheckContext, past: Past | null): Promise<boolean> {
  const leg = await newLeg(t);
  if (past === 'attach') await subscribeTo(t, leg);
  const made = await subscriber(t, leg);
  if (past === 'retry') await subscribeAgain(t, made);
  if (past === 'polling') await subscribeAgain(t, made, 'absent');
  return (await tellGate(t, made)).deliveries.length === 0;
}

/** What came to a callback by mistake. */
async function judgeStrays(t: CheckContext, stage: Setup): Promise<void> {
  for (const actor of stage.actors) {
    const others = stage.actors.filter(({ leg, who }) => leg === actor.leg && who !== actor.who);
    const foreign = others
      .map((other) => nothingOf(other, actor))
      .find(({ status }) => status === 'violated');
    if (foreign) t.judge(stage.evidence, { 'FLA-CB-021': foreign });
    const notices = noticesSince(actor.subscriber, 0);
    const stray = stage.changes.find(({ leg, gate }) => leg !== actor.leg && notices.some(tellsGate(gate)));
    if (!stray) continue;

    const judgement = noneDue('told', 'of another leg', is.telling({ 'departure.gate': stray.gate }));
    t.judge(stage.evidence, { [await blameForStray(t, actor, stray)]: judgement });
  }
}

/** Whether neither fid nor key of one enterprise reached the callback of another. */
function nothingOf({ subscriber: { callback }, exchanges }: Actor, { subscriber: at }: Actor): Judgement {
  const deliveries = deliveriesSince(at, 0);
  if (noticesOf(deliveries).some(({ fid }) => fid === callback.fid))
    return ofAnother('fid', 'fid', 'enterprise', callback.fid);
  const keys = exchanges.map(keyOf).filter((key) => key !== null);
  const isUsed = authorizationsOf(deliveries).some((value) => keys.some((key) => value.includes(key)));
  return isUsed ? ofAnother('key', 'header Authorization', 'enterprise') : holds;
}

/** Whether only legs that are subscribed for polling are notified to others, or all legs. */
async function blameForStray(t: CheckContext, { who }: Actor, { polling }: GateChange): Promise<string> {
  if (!polling.some((actor) => actor.who === who)) return 'FLA-SUB-014';
  const flight = await put(t, [{ route: firstRoute }, { route: secondRoute }]);
  const alone = await subscriber(t, legOn(flight, firstRoute));
  const gate = newGate(t);
  await changeLeg(t, legOn(flight, secondRoute), { departure: { gate } });
  await t.callbacks.settle();
  return noticesSince(alone, 0).some(tellsGate(gate)) ? 'FLA-SUB-014' : 'FLA-CB-017';
}

/** Whether the finally polled values were notified, to each callback that can be read. */
async function judgePolled(t: CheckContext, stage: Setup): Promise<void> {
  const [first] = stage.actors;
  if (!first) return;
  const seen = await lookUp(t, first.subscriber.leg);
  for (const { leg, subscriber: one, hasCallback } of stage.actors) {
    const shown = legAt(seen, [one.leg.departure, one.leg.arrival]);
    const gate = shown === null ? null : (valueAt(shown, 'departure.gate') ?? null);
    const latest = stage.changes.findLast((change) => change.leg === leg);
    const deliveries = deliveriesSince(one, 0);
    const notices = noticesOf(deliveries);
    // A delivery that was cut off before it was read may have told the gate, and nothing says that it comes again.
    const isAllRead = notices.length > 0 && notices.length === deliveries.length;
    if (!hasCallback || gate === null || gate !== latest?.gate || !isAllRead) continue;
    const isTold: Judgement = notices.some(tellsGate(gate))
      ? holds
      : differs('polled', 'callback', is.telling({ 'departure.gate': gate }, 'as it is polled'), is.absent);
    t.judge([seen, ...deliveries], { 'FLA-CB-008': isTold });
  }
}

/** The rules of which a completed scene was a sample. */
function rulesMet({ actors, changes }: Setup): readonly string[] {
  const told = changes.filter(({ expected }) => expected.length > 0);
  const hasPast = (past: Past) => actors.some((actor) => actor.past.has(past));
  const someoneHasCallback = actors.some(({ hasCallback }) => hasCallback);
  return [
    ...(told.length > 0 ? ['FLA-CB-001', 'FLA-SUB-014'] : []),
    ...(someoneHasCallback && changes.some(({ polling }) => polling.length > 0) ? ['FLA-CB-017'] : []),
    ...(['attach', 'retry', 'polling'] as const).filter(hasPast).map((past) => rulesOfPast[past]),
    ...(told.some(({ expected }) => expected.length > 1) ? ['FLA-CB-021'] : []),
  ];
}

async function newLeg(t: CheckContext): Promise<FlightLeg> {
  return legOn(await put(t, [{ route: firstRoute }]), firstRoute);
}
