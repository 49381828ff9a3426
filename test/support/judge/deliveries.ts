import type { Delivery, Headers } from '../../../src/core/evidence.ts';
import { samplesOf, type Oracle } from '../../../src/judge/kernel/oracle.ts';
import { exchange, testStart } from './exchanges.ts';

/** What a test says of a delivery; everything else is as a conforming server would send it. */
export interface DeliverySketch {
  readonly token?: string;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Headers;
  /** A JSON value, or text as it is. */
  readonly body?: unknown;
  readonly raw?: string;
  readonly truncated?: boolean;
  readonly answer?: string;
}

export const testToken = 'tokenOfTheFirstMailbox';
let count = 0;

/** A delivery as the sink keeps it. */
export function delivery(sketch: DeliverySketch = {}): Delivery {
  count += 1;
  const token = sketch.token ?? testToken;
  return {
    id: `c${count}`,
    registration: token,
    method: sketch.method ?? 'POST',
    target: sketch.target ?? `/${token}/hook?x=1`,
    headers: sketch.headers ?? [['x-api-key', 'Value Of A']],
    body: new Uint8Array(Buffer.from(sketch.raw ?? JSON.stringify(sketch.body ?? webhookEvent()))),
    truncated: sketch.truncated ?? false,
    startedAt: testStart,
    receivedAt: testStart,
    connection: '1',
    answer: sketch.answer ?? '200',
  };
}

/** The body of a status webhook. */
export function webhookEvent(
  changes: unknown = { status: 'IN_PROGRESS' },
  rest: Readonly<Record<string, unknown>> = {},
) {
  return { occurredAt: '2026-03-01T12:00:00.000Z', checkin_id: 'wci_first_of_all', changes, ...rest };
}

/** An accepted subscribe with a webhook (or none) and the record that it made. */
export function webhookSubscribe(
  given: {
    readonly token?: string | null;
    readonly checkinId?: string;
    readonly header?: string;
    readonly enterprise?: string;
    readonly status?: number;
    readonly lost?: boolean;
  } = {},
) {
  const { token = testToken, checkinId = 'wci_first_of_all', header = 'X-API-Key: Value Of A' } = given;
  const callbackData = {
    callbackUrl: `https://sink.example.com/${token ?? ''}/hook?x=1`,
    auth_header: header,
  };
  return exchange({
    operation: 'wci.subscribe',
    sent: { pnr: 'ABC123', ...(token === null ? {} : { callbackData }) },
    enterprise: given.enterprise ?? 'primary',
    status: given.status ?? 200,
    lost: given.lost ?? false,
    body: { success: true, message: 'SCHEDULED', checkin_id: checkinId, status: 'SCHEDULED' },
  });
}

/** What an oracle says of the last thing that it saw, and when nothing more comes, by requirement: `holds`, `unclear`, or the code of a violation. */
export function judgeDeliveries(
  oracle: Oracle,
  ...seen: readonly (Delivery | ReturnType<typeof exchange>)[]
): Readonly<Record<string, string>> {
  const watch = oracle.createWatch();
  const judged = seen.map((one) => samplesOf(watch, one));
  const last = [...(judged.at(-1) ?? []), ...(watch.end?.() ?? [])];
  return Object.fromEntries(
    last.map(({ requirement, judgement }) => [
      requirement,
      judgement.status === 'violated' ? judgement.code : judgement.status,
    ]),
  );
}
