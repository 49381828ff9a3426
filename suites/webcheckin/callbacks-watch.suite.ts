import { type CheckContext, type Shown, fixed, hourMs, shownBy, suite } from '../checks.ts';
import { bookingAhead } from '../support/departures.ts';
import { type Hooked, hooked, polled } from '../support/webhooks.ts';

/** Hours to the departures that are watched: check-in is open for most of such flights. */
const leads = [8, 20];
const looks = 16;

export default suite('Events: watched', [
  fixed({
    id: 'wci.callbacks.watched',
    title: 'what polling sees of real requests while they are watched is pushed as well',
    verifies: ['WCI-CB-001', 'WCI-CB-013', 'WCI-CB-020', 'WCI-CB-021'],
    needs: ['sink', 'watch'],
    uses: ['complete-record'],
    run: async (t) => {
      const itinerary = await t.fixtures.itinerary('international');
      const watched: Watched[] = [];
      for (const lead of leads)
        watched.push(new Watched(await hooked(t, { body: bookingAhead(t, itinerary, lead * hourMs) })));
      for (let look = 0; look < looks; look += 1) {
        await t.sleep((t.settings.watchMs ?? 0) / looks);
        for (const one of watched) await one.look(t);
      }
      await t.callbacks.settle();
      for (const one of watched) await one.look(t);
      const seen = watched.filter(({ changes }) => changes.length > 0);
      if (seen.length === 0) t.skip('no request changed its state while it was watched');
      await t.each(seen, async () => {
        return Promise.resolve();
      });
    },
  }),
]);

/** A change of status as polling saw it. */
interface SeenChange {
  readonly before: Shown;
  readonly after: Shown;
  /** When, by the clock of the sink. */
  readonly at: number;
}

/** A request that is watched: what polling saw of it. */
class Watched {
  readonly hook: Hooked;
  readonly name: string;
  readonly changes: SeenChange[] = [];
  last: Shown;

  constructor(hook: Hooked) {
    this.hook = hook;
    this.name = hook.record.pnr ?? '';
    this.last = hook.shown;
  }

  get latestArrival(): number {
    return this.hook.address.mailbox.deliveries.at(-1)?.receivedAt ?? 0;
  }

  async look(t: CheckContext): Promise<void> {
    const read = await polled(t, this.hook, () => true);
    const shown = shownBy(read);
    if (!shown) return;
    if (shown.status !== this.last.status)
      this.changes.push({ before: this.last, after: shown, at: read.timings.receivedAt });
    this.last = shown;
  }
}
