import type { Exchange } from '../../src/core/evidence.ts';
import { property, suite } from '../../src/engine/suite.ts';
import type { CheckContext } from '../../src/engine/context.ts';
import type { FlightLeg } from '../../src/generate/flightSubscription.ts';
import { subscriptionCommands, type SubscriptionCommand } from '../../src/generate/subscriptionCommands.ts';
import { journey } from '../../src/generate/upstreamLeg.ts';
import { exactLegs } from '../../src/judge/flightAnswer.ts';
import {
  faultStep,
  subscribeStep,
  type LegState,
  type ModelCallback,
  type Step,
} from '../../src/judge/subscriptionModel.ts';
import {
  callbackOf,
  callbackSubscription,
  legOn,
  lookUp,
  put,
  subscribeTo,
  type Flight,
} from '../support/flights.ts';

const commandsPerCase = 8;
const routes = journey.slice(0, 2);

/** Where the commands of one case are run: a new flight of two legs, and names of its own for addresses and fids. */
interface Scene {
  readonly t: CheckContext;
  readonly flight: Flight;
  readonly origin: string;
  readonly token: string;
}

export default suite('Flight alerts: sequences of subscriptions', [
  property({
    id: 'fla.model.subscriptions',
    title: 'any sequence of subscribes to two legs is answered as the documents say',
    verifies: [
      'FLA-GET-006',
      'FLA-SUB-003',
      'FLA-SUB-005',
      'FLA-SUB-006',
      'FLA-SUB-008',
      'FLA-SUB-009',
      'FLA-SUB-010',
      'FLA-SUB-012',
      'FLA-SUB-013',
      'FLA-SUB-037',
      'FLA-CBR-002',
      'FLA-CBR-007',
    ],
    needs: ['state:flights.put'],
    uses: ['callback-subscription'],
    requestsPerCase: commandsPerCase,
    subscriptionsPerCase: routes.length,
    maxCases: 15,
    run: async (t) => {
      const { body } = await callbackSubscription(t);
      const { origin } = new URL(callbackOf(body).callbackUrl);
      await t.forAll('commands', subscriptionCommands(commandsPerCase), async (commands) => {
        const flight = await put(
          t,
          routes.map((route) => ({ route })),
        );
        await run({ t, flight, origin, token: t.identities.token() }, commands);
      });
    },
  }),
]);

async function run(scene: Scene, commands: readonly SubscriptionCommand[]): Promise<void> {
  const states = new Map<number, LegState>();
  const evidence: Exchange[] = [];
  for (const command of commands) {
    if (command.do === 'lookup') {
      const seen = await lookUp(scene.t, scene.flight);
      scene.t.judge([...evidence, seen], { 'FLA-GET-006': exactLegs(seen, routes) });
      evidence.push(seen);
      continue;
    }
    const state = states.get(command.leg) ?? null;
    const { step, exchange } = await send(scene, state, command);
    scene.t.judge([...evidence, exchange], { [step.rule]: step.judge(exchange) });
    evidence.push(exchange);
    states.set(command.leg, step.next);
  }
}

async function send(
  scene: Scene,
  state: LegState,
  command: Exclude<SubscriptionCommand, { do: 'lookup' }>,
): Promise<{ readonly step: Step; readonly exchange: Exchange }> {
  const { t, flight } = scene;
  const leg = legOn(flight, routes[command.leg] ?? ['DOH', 'SIN']);
  if (command.do === 'fault') {
    const { url, fid } = named(scene, command.leg, { url: 0, fid: 0 });
    const isFid = command.fault === 'number-fid';
    const callbackUrl = isFid ? url : url.replace('https:', 'http:');
    const exchange = await subscribeTo(t, leg, { fid: isFid ? 4711 : fid, callbackUrl });
    return { step: faultStep(state, isFid ? 'FLA-CBR-002' : 'FLA-CBR-007'), exchange };
  }
  const { callback } = command;
  const wanted = callback === 'absent' || callback === null ? null : named(scene, command.leg, callback);
  const callbackData =
    wanted === null ? (callback === null ? null : 'absent') : { fid: wanted.fid, callbackUrl: wanted.url };
  const exchange = await subscribeTo(t, command.spelled ? spelled(leg) : leg, callbackData);
  return { step: subscribeStep(state, wanted), exchange };
}

/** Legs may share an address, but a fid may serve one leg only (FLA-OPN-017). */
function named(
  { origin, token }: Scene,
  leg: number,
  { url, fid }: { readonly url: number; readonly fid: number },
): ModelCallback {
  return { url: `${origin}/gatecheck/${token}/${url}`, fid: `00${token}-${leg}-${fid}` };
}

function spelled(leg: FlightLeg): FlightLeg {
  const { flightNumber, departure, arrival } = leg;
  return {
    ...leg,
    flightNumber: `${flightNumber.slice(0, 2).toLowerCase()}-0${flightNumber.slice(2)}`,
    departure: ` ${departure.toLowerCase()}`,
    arrival: `${arrival.toLowerCase()} `,
  };
}
