import {
  type Change,
  type CheckContext,
  type Judgement,
  type Shown,
  fixed,
  fold,
  heaviest,
  holds,
  hourMs,
  isPushed,
  ordersOf,
  shownBy,
  suite,
  tellsCompletion,
  unclear,
  differs,
  is,
} from '../checks.ts';
import { bookingAhead } from '../support/departures.ts';
import { type Hooked, eventsOf, hooked, polled } from '../support/webhooks.ts';

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
      const isSettled = (await t.callbacks.settle()) === 'nothing-pending';
      for (const one of watched) await one.look(t);
      const seen = watched.filter(({ changes }) => changes.length > 0);
      if (seen.length === 0) t.skip('no request changed its state while it was watched');
      await t.each(seen, async (one) => {
        const latest = isSettled ? Infinity : Math.max(...watched.map((other) => other.latestArrival));
        const { record, address } = one.hook;
        t.judge([record.subscribed, ...address.mailbox.deliveries], judge(one, latest));
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

/**
 * Polling may miss a state between two looks, so only what it saw is asked for; and a callback that is not there is
 * missing only where nothing is pending, or where one has come that was made later.
 */
function judge({ hook, changes, last }: Watched, latest: number): Readonly<Record<string, Judgement>> {
  const asked = changes.map(({ before, after, at }): Change => {
    const events = eventsOf(hook).filter((event) => event.changes.status === after.status);
    return { before, after, events, isOver: latest > at };
  });
  const [first, ...others] = asked.map(isPushed);
  const events = eventsOf(hook);
  const isTold = events.some((event) => event.changes.status === last.status);
  const isOver = isTold || asked.at(-1)?.isOver === true;
  const ending = { before: hook.shown, after: last, events, isOver };
  return {
    ...(first ? { 'WCI-CB-001': first } : {}),
    ...(others.length > 0 ? { 'WCI-CB-021': heaviest(others) } : {}),
    ...(ending.events.length > 0 ? { 'WCI-CB-020': endsAlike(ending) } : {}),
    ...(last.status === 'COMPLETED' ? { 'WCI-CB-013': tellsCompletion(ending) } : {}),
  };
}

/**
 * The latest of the pushed states is the polled one. Only the status is compared: a change of another field alone need
 * not be pushed.
 */
function endsAlike({ events, after }: Change): Judgement {
  const [pushed, ...others] = ordersOf(events).map((ordered) => fold(ordered).status);
  if ([pushed, ...others].includes(after.status)) return holds;
  if (!events.some(({ changes }) => changes.status === after.status))
    return unclear('the callback of the polled state did not come');
  const got = is.value(pushed, 'by the latest callback');
  return differs('status', 'status', is.value(after.status, 'as polled'), got);
}
