import type { Clock } from '../../src/core/clock.ts';
import type { Outcome, TransportFailure } from '../../src/core/evidence.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Transport, WireRequest, WireResult } from '../../src/send/transport.ts';

/** What a bad network, or what stands on it, does with one request. */
const faults = [
  'reset before it is sent',
  'reset after the effect',
  'cut body',
  'gateway page instead of the deployment',
  'gateway page after the effect',
  'short delay',
  'answer lost after the effect',
] as const;
type Fault = (typeof faults)[number];

const gatewayStatuses = [502, 503, 504] as const;
const lostAfterMs = 30_000;

/** A way to a deployment on which this share of all requests meets a fault, by chance of the seed. */
export function faultyTransport(
  transport: Transport,
  { share, seed, clock }: { readonly share: number; readonly seed: number; readonly clock: Clock },
): Transport & { readonly met: () => number } {
  const random = createRandom(seed);
  let met = 0;
  return {
    met: () => met,
    close: () => transport.close(),
    send: async (request) => {
      if (random() >= share) return transport.send(request);
      met += 1;
      return disturbed(transport, request, {
        fault: faults[Math.floor(random() * faults.length)] ?? 'cut body',
        random,
        clock,
      });
    },
  };
}

interface Disturbance {
  readonly fault: Fault;
  readonly random: () => number;
  readonly clock: Clock;
}

async function disturbed(
  transport: Transport,
  request: WireRequest,
  { fault, random, clock }: Disturbance,
): Promise<WireResult> {
  const [sentAt, sent] = [clock.now(), clock.monotonic()];
  const ended = (outcome: Outcome): WireResult => ({
    outcome,
    timings: { sentAt, sent, receivedAt: clock.now(), received: clock.monotonic() },
  });
  const page = () => gatewayPage(gatewayStatuses[Math.floor(random() * gatewayStatuses.length)] ?? 502);
  switch (fault) {
    case 'reset before it is sent':
      return ended(failed('reset', 'other side closed (UND_ERR_SOCKET)', false));
    case 'gateway page instead of the deployment':
      return ended(page());
    case 'short delay':
      await clock.sleep(3000);
      return transport.send(request);
    case 'reset after the effect':
    case 'cut body':
      await transport.send(request);
      return ended(failed('reset', 'other side closed (UND_ERR_SOCKET)', true));
    case 'gateway page after the effect':
      await transport.send(request);
      return ended(page());
    case 'answer lost after the effect':
      await transport.send(request);
      await clock.sleep(lostAfterMs);
      return ended(failed('timeout', 'Headers Timeout Error (UND_ERR_HEADERS_TIMEOUT)', true));
  }
}

function failed(reason: TransportFailure['reason'], message: string, maybeDelivered: boolean): Outcome {
  return { kind: 'failure', failure: { reason, message, maybeDelivered } };
}

function gatewayPage(status: number): Outcome {
  const body = Buffer.from(
    `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`,
  );
  const headers = [
    ['Content-Type', 'text/html'],
    ['Content-Length', String(body.length)],
  ] as const;
  return { kind: 'response', response: { status, headers, body, truncated: false } };
}
