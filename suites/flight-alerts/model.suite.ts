import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type KeyChoice,
  type SubscriptionCommand,
  answered,
  exactLegs,
  fidConflict,
  generate,
  isAccepted,
  invalid,
  ok,
  primaryKey,
  property,
  suite,
  urlConflict,
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
    // What one subscribe says of another one is judged by what is known of all of them (fla.passive.known-flights).
    verifies: ['FLA-GET-006', 'FLA-SUB-003', 'FLA-SUB-037', 'FLA-CBR-002', 'FLA-CBR-007'],
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
  const evidence: Exchange[] = [];
  const subscribed = routes.map(() => ({ isThere: false, hasCallback: false }));
  for (const command of commands) {
    const exchange = await send(scene, command);
    evidence.push(exchange);
    if (command.do === 'lookup') {
      scene.t.judge(evidence, { 'FLA-GET-006': exactLegs(exchange, routes) });
    } else if (command.do === 'fault') {
      const rule = command.fault === 'number-fid' ? 'FLA-CBR-002' : 'FLA-CBR-007';
      // Where a callback is registered, it may be found to be another one first.
      const conflicts = subscribed[command.leg]?.hasCallback === true ? [urlConflict, fidConflict] : [];
      scene.t.judge(evidence, { [rule]: answered(exchange, invalid, ...conflicts) });
    } else {
      const leg = subscribed[command.leg] ?? { isThere: false, hasCallback: false };
      const isPolling = command.callback === 'absent' || command.callback === null;
      const rule = leg.isThere && command.callback === 'absent' ? 'FLA-SUB-037' : 'FLA-SUB-003';
      if (isPolling && !leg.hasCallback) scene.t.judge(evidence, { [rule]: answered(exchange, ok) });
      leg.isThere ||= isAccepted(exchange);
      leg.hasCallback ||= isAccepted(exchange) && !isPolling;
    }
  }
}

function send(scene: Scenario, command: SubscriptionCommand): Promise<Exchange> {
  const { t, flight, key } = scene;
  if (command.do === 'lookup') return lookUp(t, flight);
  return subscribeTo(
    t,
    legOn(flight, routes[command.leg] ?? ['DOH', 'SIN']),
    callbackOf(scene, command),
    key,
  );
}

/** Legs may share an address, but a fid may serve one leg only (FLA-OPN-017). */
function callbackOf({ base, token }: Scenario, command: LegCommand): JsonObject | 'absent' | null {
  const { leg } = command;
  const named = ({ url, fid }: { readonly url: number; readonly fid: number }) => ({
    fid: `00${token}-${leg}-${fid}`,
    callbackUrl: `${base}/${token}/${url}`,
  });
  if (command.do === 'subscribe')
    return command.callback === 'absent' || command.callback === null
      ? command.callback
      : named(command.callback);
  const right = named({ url: 0, fid: 0 });
  if (command.fault === 'number-fid') return { ...right, fid: 4711 };
  return { ...right, callbackUrl: right.callbackUrl.replace('https:', 'http:') };
}

function leastUsedKey(t: CheckContext): KeyChoice {
  const key = t.keys.leastUsed();
  return key === null ? primaryKey : { kind: 'key', key };
}
