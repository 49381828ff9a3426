import { type ApiKey, type ApiRequest, type CheckContext, type Exchange, limits } from '../checks.ts';
import type { Played } from './limits.ts';

const hourMs = 3_600_000;
/** Time between the starts of two batches: a little more than the minute that they may fill. */
const batchMs = 63_000;
/** Time after the last batch until the minute is empty, whatever kind of limit it is. */
const quietMs = 130_000;
/** Requests beyond the limit. */
const beyond = 3;
/** Pause between consecutive requests, so that each is decided before the next. */
const pauseMs = 100;
const name = 'limits-hour';

/** A decision by the wall clock, as stored from run to run. */
type Kept = readonly [id: string, sentAt: number, receivedAt: number, ruling: limits.Ruling];

/**
 * Fills the hour of a key at the pace of the minute limit, in real time, and then sends a few more requests. Includes what an
 * interrupted run sent within the last hour.
 */
export async function fillTheHour(
  t: CheckContext,
  key: ApiKey,
  request: (key: ApiKey, index: number) => ApiRequest,
): Promise<Played> {
  const epoch = t.wallClock() - t.monotonic();
  const kept = earlier(t, key, epoch);
  const decisions: limits.Decision[] = [...usedBefore(t, key, kept), ...kept, ...t.decisionsOf(key)];
  const exchanges: Exchange[] = [];
  const { perHour } = t.settings.limits;
  if (kept.length > 0)
    t.tell(`limits: ${kept.length} requests of an earlier run still count, and are taken over`);
  const send = async (count: number) => {
    const seen = await t.burst(Array.from({ length: count }, (_, index) => request(key, index)));
    exchanges.push(...seen);
    for (const exchange of seen) {
      const decision = limits.decisionOf(exchange, 0, { address: 'this machine' });
      if (decision) decisions.push(decision);
    }
    const stored = decisions.map((one) => keep(one, epoch));
    t.kept.save(name, key, stored);
  };
  // Earlier requests still count against the minute.
  const last = Math.max(Number.NEGATIVE_INFINITY, ...decisions.map(({ received }) => received));
  await t.sleep(Math.max(0, last + batchMs - t.monotonic()));
  const few = Math.max(1, Math.floor(limits.batchOf(t.settings.limits.perMinute) / 6));
  await sendBatches(t, { decisions, send, most: perHour - few });
  await t.sleep(quietMs - batchMs);
  // The last ones are sent one by one when the minute is empty: what is refused of them is refused by the hour.
  const room = Math.min(few, Math.max(0, perHour - countIn(decisions, t.monotonic())));
  for (let turn = 0; turn < room + beyond; turn += 1) {
    await send(1);
    await t.sleep(pauseMs);
  }
  t.kept.save(name, key, null);
  return { exchanges, decisions };
}

interface Filling {
  /** Grows with what is sent. */
  readonly decisions: readonly limits.Decision[];
  readonly send: (count: number) => Promise<void>;
  /** Requests of the hour after which no batch follows. */
  readonly most: number;
}

/** Sends a batch a minute, until the hour is nearly full. */
async function sendBatches(t: CheckContext, { decisions, send, most }: Filling): Promise<void> {
  const { perHour, perMinute } = t.settings.limits;
  const batch = limits.batchOf(perMinute);
  for (;;) {
    const standing = countIn(decisions, t.monotonic());
    const left = most - standing;
    if (left <= 0 || hasRefusals(decisions, t.monotonic())) return;
    const minutes = Math.ceil((Math.ceil(left / batch) * batchMs + quietMs) / 60_000);
    t.tell(`limits: ${standing} of ${perHour} requests of the hour, about ${minutes} min left`);
    const started = t.monotonic();
    await send(Math.min(batch, left));
    await t.sleep(Math.max(0, started + batchMs - t.monotonic()));
  }
}

function countIn(decisions: readonly limits.Decision[], now: number): number {
  return decisions.filter(({ ruling, sent }) => ruling !== 'refused' && sent > now - hourMs).length;
}

/** The limit is already reached: more requests would only prolong it. */
function hasRefusals(decisions: readonly limits.Decision[], now: number): boolean {
  return decisions.some(({ ruling, sent }) => ruling === 'refused' && sent > now - 2 * batchMs);
}

/** The key that an interrupted run used, else the one that was used least recently. */
export function keyForTheHour(t: CheckContext): ApiKey {
  const used = (key: ApiKey) => t.usedBefore(key).length + t.decisionsOf(key).length;
  const [least] = [...t.keys.given].sort((a, b) => used(a) - used(b));
  const begun = t.keys.given.find((key) => t.kept.load(name, key) !== null);
  return begun ?? least ?? t.skip('there is no key');
}

/** Requests of earlier runs of which only the time of the answer is known: they may count, but it is not known exactly when. */
function usedBefore(
  t: CheckContext,
  { label, enterprise, ...key }: ApiKey,
  kept: readonly limits.Decision[],
): readonly limits.Decision[] {
  const isKept = (at: number) => kept.some(({ received }) => Math.abs(received - at) < 5);
  return t
    .usedBefore({ label, enterprise, ...key })
    .filter((at) => !isKept(at))
    .map((at, index) => ({
      ...unknownOf(label, enterprise),
      id: `before ${index + 1}`,
      sent: at - 10_000,
      received: at,
    }));
}

function unknownOf(key: string, enterprise: string): Omit<limits.Decision, 'id' | 'sent' | 'received'> {
  return {
    ruling: 'unknown',
    retryAfter: null,
    key,
    enterprise,
    api: null,
    route: null,
    address: 'this machine',
    connection: null,
  };
}

function keep({ id, sent, received, ruling }: limits.Decision, epoch: number): Kept {
  return [id, sent + epoch, received + epoch, ruling];
}

/** Decisions of an earlier run on the clock of this one; old ones no longer matter. */
function earlier(t: CheckContext, { label, enterprise }: ApiKey, epoch: number): readonly limits.Decision[] {
  const key = t.keys.named(label);
  const kept: unknown = key ? t.kept.load(name, key) : null;
  if (!Array.isArray(kept)) return [];
  return (kept as readonly Kept[])
    .filter(([, sentAt]) => sentAt > t.wallClock() - hourMs - 60_000)
    .map(([id, sentAt, receivedAt, ruling]) => ({
      ...unknownOf(label, enterprise),
      id: `earlier ${id}`,
      sent: sentAt - epoch,
      received: receivedAt - epoch,
      ruling,
    }));
}
