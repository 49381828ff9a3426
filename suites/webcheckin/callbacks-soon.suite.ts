import { answerStatus, fixed, suite } from '../checks.ts';
import { progress } from '../support/movements.ts';
import { nowThere } from '../support/passingTime.ts';
import {
  apartSeconds,
  changeWhileRetried,
  keepsFields,
  losesNone,
  lostOf,
  ofFirstTime,
  ownOf,
  toldAsLate,
} from '../support/queuedChanges.ts';
import { firstEvent, sameBodies } from '../support/retries.ts';
import { type Hooked, hooked } from '../support/webhooks.ts';

/** How long a repetition is waited for while other checks run. */
const patienceMs = 25_000;

export default suite('Events: a repetition that comes soon', [
  fixed({
    id: 'wci.callbacks.retried-soon',
    title: 'where a failed delivery is repeated within seconds, it tells the change that it is of',
    verifies: ['WCI-CB-011', 'WCI-CB-018', 'WCI-CB-019', 'WCI-CB-021'],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      const moves = t.state.offers('clock.advance') && t.state.clock.has('callbacks');
      if (moves)
        t.skip('the state handler moves the clock of callbacks, and another check follows all of it');
      const [delayed, plain] = [await hooked(t), await hooked(t)];
      await t.callbacks.settle({ patienceMs: 5_000, besideRepetitions: true });
      // So that the time of a change is not that of the creation.
      const pause = () => t.sleep(apartSeconds * 1000);
      await pause();
      const from = new Map([delayed, plain].map((hook) => [hook, hook.address.mailbox.count]));
      const own = (hook: Hooked) => ownOf(hook, hook.address.mailbox.deliveries.slice(from.get(hook)));
      const now = () => nowThere(t);
      const made = await changeWhileRetried(t, delayed, { script: [answerStatus(503)], pause, now });
      for (const status of ['IN_PROGRESS', 'FAILED', 'COMPLETED'] as const)
        await progress(t, plain, { status });
      const isRepeated = () => firstEvent(own(delayed)).length > 1;
      await t.callbacks.wait(delayed.address, isRepeated, { patienceMs });
      if (!isRepeated()) t.skip('no delivery was repeated within the time that this run waits');
      const waited = await t.callbacks.settle({ patienceMs: 5_000 });
      const come = own(delayed);
      const lost = lostOf(come, own(plain));
      t.judge(come, {
        'WCI-CB-011': keepsFields(come),
        'WCI-CB-018': sameBodies(ofFirstTime(come)),
        'WCI-CB-019': toldAsLate(come, made),
        // What is told nowhere yet may still come.
        ...(lost === null || waited === 'nothing-pending'
          ? { 'WCI-CB-021': losesNone(come, lost, true) }
          : {}),
      });
      if (lost !== null) t.skip('what was changed meanwhile may still be told');
    },
  }),
]);
