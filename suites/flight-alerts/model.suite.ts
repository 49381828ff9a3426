import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type KeyChoice,
  type SubscriptionCommand,
  generate,
  primaryKey,
  property,
  suite,
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
        const scene = await newScenario(t, base);
        for (const command of commands) await send(scene, command);
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
