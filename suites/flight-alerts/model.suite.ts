import {
  type CheckContext,
  type Exchange,
  type KeyChoice,
  type LegState,
  type ModelCallback,
  type ModelStep,
  type SubscriptionCommand,
  blame,
  exactLegs,
  faultStep,
  generate,
  holds,
  primaryKey,
  property,
  subscribeStep,
  suite,
  untouched,
} from '../checks.ts';
import { type Flight, callbackBase, legOn, lookUp, put, subscribeTo } from '../support/flights.ts';

const commandsPerCase = 8;
const routes = generate.journey.slice(0, 2);

/** What the commands of one case run on: a new flight of two legs, and its own names for addresses and fids. */
interface Scenario {
  readonly t: CheckContext;
  readonly flight: Flight;
  readonly base: string;
  readonly token: string;
  /** One key per case, since subscriptions may belong to the key; another one for the next case, to spread the requests. */
  readonly key: KeyChoice;
}

export default suite('Flight alerts: sequences of subscriptions', [
  property({
    id: 'fla.model.subscriptions',
    title: 'any sequence of subscribes to two legs is answered as the documents say',
    verifies: [
      'FLA-GET-006',
      'FLA-SUB-003',
      'FLA-SUB-004',
      'FLA-SUB-005',
      'FLA-SUB-006',
      'FLA-SUB-008',
      'FLA-SUB-009',
      'FLA-SUB-010',
      'FLA-SUB-011',
      'FLA-SUB-012',
      'FLA-SUB-013',
      'FLA-SUB-015',
      'FLA-SUB-030',
      'FLA-SUB-037',
      'FLA-CBR-002',
      'FLA-CBR-007',
    ],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    mostPerCase: { requests: commandsPerCase, subscriptions: routes.length },
    maxCases: 15,
    run: async (t) => {
      const base = await callbackBase(t);
      await t.forAll('commands', generate.subscriptionCommands(commandsPerCase), async (commands) => {
        await run(await newScenario(t, base), commands);
      });
    },
  }),
]);

async function newScenario(t: CheckContext, base: string): Promise<Scenario> {
  const flight = await put(
    t,
    routes.map((route) => ({ route })),
  );
  const token = t.identities.token();
  return { t, flight, base, token, key: leastUsedKey(t) };
}

type LegCommand = Exclude<SubscriptionCommand, { do: 'lookup' }>;

async function run(scene: Scenario, commands: readonly SubscriptionCommand[]): Promise<void> {
  const states = routes.map(() => untouched);
  const made: (LegCommand | null)[] = routes.map(() => null);
  const evidence: Exchange[] = [];
  for (const command of commands) {
    if (command.do === 'lookup') {
      const seen = await lookUp(scene.t, scene.flight);
      scene.t.judge([...evidence, seen], { 'FLA-GET-006': exactLegs(seen, routes) });
      evidence.push(seen);
      continue;
    }
    const { leg } = command;
    const state = states[leg] ?? untouched;
    const { step, exchange } = await send(scene, state, command);
    evidence.push(exchange);
    const judgements = step.judge(exchange);
    const broken = Object.keys(judgements).find((rule) => judgements[rule]?.status === 'violated');
    const others = states.filter((_, other) => other !== leg);
    if (broken !== undefined && blame(broken, state, others) !== broken) {
      const isBrokenAlone = await breaksAlone(scene, [made[leg] ?? null, command], broken);
      const rule = isBrokenAlone ? broken : blame(broken, state, others);
      scene.t.judge(evidence, { [rule]: judgements[broken] ?? holds });
    }
    scene.t.judge(evidence, judgements);
    const isMaking = state.callback === null && step.next.isSubscribed;
    if (isMaking) made[leg] = command;
    states[leg] = step.next;
  }
}

/** Whether a step also breaks its own rule if only the steps that made the leg came before it. */
async function breaksAlone(
  { t, base }: Scenario,
  commands: readonly (LegCommand | null)[],
  rule: string,
): Promise<boolean> {
  const scene = await newScenario(t, base);
  let [state, isBroken] = [untouched, false];
  for (const command of commands) {
    if (command === null) continue;
    const { step, exchange } = await send(scene, state, command);
    isBroken = step.judge(exchange)[rule]?.status === 'violated';
    state = step.next;
  }
  return isBroken;
}

async function send(
  scene: Scenario,
  state: LegState,
  command: LegCommand,
): Promise<{ readonly step: ModelStep; readonly exchange: Exchange }> {
  const { t, flight, key } = scene;
  const leg = legOn(flight, routes[command.leg] ?? ['DOH', 'SIN']);
  if (command.do === 'fault') {
    const { url, fid } = named(scene, command.leg, { url: 0, fid: 0 });
    const isFid = command.fault === 'number-fid';
    const callbackUrl = isFid ? url : url.replace('https:', 'http:');
    const exchange = await subscribeTo(t, leg, { fid: isFid ? 4711 : fid, callbackUrl }, key);
    return { step: faultStep(state, isFid ? 'FLA-CBR-002' : 'FLA-CBR-007'), exchange };
  }
  const { callback } = command;
  if (callback === 'absent' || callback === null)
    return { step: subscribeStep(state, callback), exchange: await subscribeTo(t, leg, callback, key) };
  const wanted = named(scene, command.leg, callback);
  const exchange = await subscribeTo(t, leg, { fid: wanted.fid, callbackUrl: wanted.url }, key);
  return { step: subscribeStep(state, wanted), exchange };
}

/** Legs may share an address, but a fid may serve one leg only (FLA-OPN-017). */
function named(
  { base, token }: Scenario,
  leg: number,
  { url, fid }: { readonly url: number; readonly fid: number },
): ModelCallback {
  return { url: `${base}/${token}/${url}`, fid: `00${token}-${leg}-${fid}` };
}

function leastUsedKey(t: CheckContext): KeyChoice {
  const key = t.keys.leastUsed();
  return key === null ? primaryKey : { kind: 'key', key };
}
