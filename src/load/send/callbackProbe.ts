import type { Clock } from '../../core/clock.ts';
import type { Delivery } from '../../core/evidence.ts';
import { Durations } from '../summary/histogram.ts';
import type { Sink } from '../../receive/sink.ts';
import type { DeliveryHub } from '../../engine/observe/callbacks.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { Settings } from '../../core/settings.ts';
import { operationCounts } from '../plan/arrivals.ts';
import type { LoadPlan } from '../plan/plan.ts';
import { budgetsOf } from '../../plan/budgets.ts';
import type { Load } from '../load.ts';

/** Measures the delay of callbacks during a load. */
export interface Probe {
  readonly delays: Durations;
  readonly stop: () => Promise<void>;
}

/** Whether the delay of callbacks can be measured: changes can be caused and two units may be spent. */
export function mayProbe(
  settings: Settings,
  plan: LoadPlan,
  { state, journeyUnits }: { readonly state: StateHandler; readonly journeyUnits: number },
): boolean {
  const subscribes = plan.mix.some(({ operation }) => operation === 'wci.subscribe');
  // In addition to what the load itself may spend, and the record that it builds on.
  const spent = (subscribes ? (operationCounts(plan).get('wci.subscribe') ?? 0) : 0) + 1 + journeyUnits;
  const mayWrite = !settings.readOnly && budgetsOf(settings).maxQuota - spent >= 2;
  return mayWrite && settings.apis.includes('webcheckin') && state.offers('checkin.progress');
}

/** Starts measuring; null if callbacks do not reach the sink. */
export async function startProbe({ run, session, hub, notice }: Load): Promise<Probe | null> {
  const { sink, target, clock } = run;
  if (sink?.urls.webcheckin == null) return null;
  const probe = new CallbackProbe({
    ...{ sink, hub, clock, notice, state: target.stateHandler },
    subscribe: (url) => session.prepareProbe(url),
  });
  await probe.start();
  return { delays: probe.delays, stop: () => probe.stop() };
}

interface CallbackProbeOptions {
  readonly sink: Sink;
  readonly hub: DeliveryHub;
  readonly state: StateHandler;
  readonly clock: Clock;
  readonly notice: (text: string) => void;
  /** Makes a record for this run whose changes are delivered to this address. */
  readonly subscribe: (callbackUrl: string) => Promise<string>;
}

/** Time between two changes. */
const everyMs = 250;
/** How long to wait for the last deliveries. */
const patienceMs = 3000;

/**
 * Measures the delay of callbacks during a load: changes a record by the state handler again and again, and waits for each
 * change at the sink. Both ends are on this machine's clock; the request to the state handler counts as part of the delay.
 */
class CallbackProbe {
  readonly delays = new Durations();
  readonly #options: CallbackProbeOptions;
  /** When each change was requested, by the message that it carries. */
  readonly #asked = new Map<string, number>();
  readonly #stop = new AbortController();
  #count = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: CallbackProbeOptions) {
    this.#options = options;
  }

  /** Starts to change the record; does nothing if the deployment does not allow it to be subscribed. */
  async start(): Promise<void> {
    const { sink, hub, subscribe, notice } = this.#options;
    const base = sink.urls.webcheckin;
    if (base === null) return;
    hub.add((delivery) => this.#note(delivery));
    try {
      const id = await subscribe(`${base}/${sink.inbox.open().token}`);
      this.#running = this.#change(id);
    } catch (error) {
      notice(`Callbacks are not measured: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  /** Stops the changes, and waits a little for outstanding deliveries. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    this.#stop.abort(new Error('over'));
    await this.#running;
    const until = clock.monotonic() + patienceMs;
    while (this.#asked.size > 0 && clock.monotonic() < until) await clock.sleep(20);
    if (this.#asked.size > 0)
      this.#options.notice(`${this.#asked.size} of ${this.#count} callbacks did not come in time.`);
  }

  async #change(id: string): Promise<void> {
    const { state, clock, notice } = this.#options;
    try {
      while (!this.#stop.signal.aborted) {
        this.#count += 1;
        const message = `Gatecheck probe ${this.#count}`;
        // Only a change of the state is certain to be pushed.
        const status = this.#count % 2 === 1 ? 'IN_PROGRESS' : 'SCHEDULED';
        this.#asked.set(message, clock.now());
        await state.set('checkin.progress', {
          checkin_id: id,
          status,
          // A waiting record is complete: it has everything it needs.
          ...(status === 'SCHEDULED' ? { sub_status: 'COMPLETE_INFO' } : {}),
          checkin_message: message,
        });
        await clock.sleep(everyMs, this.#stop.signal).catch(() => undefined);
      }
    } catch (error) {
      notice(`Callbacks are no longer measured: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  #note({ body, receivedAt }: Delivery): void {
    const message = messageOf(body);
    const askedAt = this.#asked.get(message);
    // The first delivery counts; a repeated one says nothing about the delay.
    if (askedAt === undefined) return;
    this.#asked.delete(message);
    this.delays.record(receivedAt - askedAt);
  }
}

function messageOf(body: Uint8Array): string {
  try {
    const { changes } = JSON.parse(Buffer.from(body).toString('utf8')) as {
      changes?: { checkin_message?: unknown };
    };
    const message = changes?.checkin_message;
    // A deployment may put words of its own around it.
    return typeof message === 'string' ? (/Gatecheck probe \d+/.exec(message)?.[0] ?? '') : '';
  } catch {
    return '';
  }
}
