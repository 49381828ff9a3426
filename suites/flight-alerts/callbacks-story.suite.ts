import {
  type CheckContext,
  type NotificationScenario,
  generate,
  property,
  refusing,
  suite,
} from '../checks.ts';
import { lookUp } from '../support/flights.ts';
import { control } from '../support/notices.ts';
import { Setup } from '../support/notificationSetup.ts';

const commandsPerScene = 8;

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
  for (const command of scene.commands) await stage.play(command);
  // The last change of each leg is notified after everything that might have been notified wrongly before.
  for (const leg of [0, 1]) await stage.change(leg);
  await awaitEnd(t, stage);
  const [first] = stage.actors;
  if (first) await lookUp(t, first.subscriber.leg);
}

/** Waits until nothing is pending any more, or a further change of every callback's leg is notified. */
async function awaitEnd(t: CheckContext, stage: Setup): Promise<void> {
  const settled = await t.callbacks.settle({ patienceMs: 1_500, besideRepetitions: true });
  if (settled === 'nothing-pending') return;
  for (const { subscriber: one, hasCallback } of stage.actors) if (hasCallback) await control(t, one);
}
