import { generate, property, refusing, suite } from '../checks.ts';
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
    mostPerCase: { requests: commandsPerScene, subscriptions: 4 },
    maxCases: 10,
    run: (t) =>
      t.forAll('a scene', generate.notificationScenarios(commandsPerScene), async (scene) => {
        const stage = await Setup.open(t, scene);
        for (const command of scene.commands) await stage.play(command);
        // The last change of each leg is notified after everything that might have been notified wrongly before.
        for (const leg of [0, 1]) await stage.change(leg);
        await t.callbacks.settle({ patienceMs: 1_500, besideRepetitions: true });
      }),
  }),
]);
