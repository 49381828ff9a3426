import { setTimeout as sleep } from 'node:timers/promises';
import { createDeployment } from '../../src/reference/deployment.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { listen } from '../../src/reference/listen.ts';
import { policyOfJob } from '../../src/run/prove/job.ts';

export const limits = { perMinute: 6000, perHour: 100_000 };

/** Something that a request made at the deployment. */
export interface Made {
  readonly kind: 'checkin' | 'subscription';
  /** The id of a record, or the leg of a subscription. */
  readonly id: string;
  /** The body that was sent. */
  readonly sent: string;
}

/** A deployment that takes its time, and remembers what was made there and the units that were spent. */
export interface WatchedDeployment {
  readonly url: string;
  readonly key: string;
  readonly made: readonly Made[];
  readonly requests: () => number;
  readonly units: () => number;
  close(): Promise<void>;
}

export async function openWatchedDeployment({ answerMs, defect }: Watching): Promise<WatchedDeployment> {
  const { enterprises, keys } = defaultEnterprises(3);
  const policy = policyOfJob({ dialect: {}, defect: defect ?? null });
  const deployment = createDeployment({ enterprises, limits, policy });
  // How long a run takes is chance, and what its oracles come to see of the automation as well.
  const still = JSON.stringify({ state: 'automation.set', params: { mode: 'manual' } });
  await deployment.stateHandler(
    new Request('http://127.0.0.1/_state', {
      method: 'POST',
      body: still,
      headers: { 'Content-Type': 'application/json' },
    }),
  );
  const made = new Map<string, Made>();
  let [requests, units] = [0, 0];
  const fetch: typeof deployment.fetch = async (request, info) => {
    requests += 1;
    const sent = await request.clone().text();
    const response = await deployment.fetch(request, info);
    const answer = await response.clone().text();
    if (response.ok && request.method === 'POST')
      for (const one of madeBy(new URL(request.url).pathname, sent, answer))
        if (!made.has(one.id)) made.set(one.id, one);
    units = Math.max(units, ...[...answer.matchAll(/"consumed_units":(\d+)/g)].map(([, n]) => Number(n)));
    await sleep(answerMs);
    return response;
  };
  const listening = await listen({ ...deployment, fetch });
  return {
    url: listening.url,
    key: keys.primary[0] ?? '',
    get made() {
      return [...made.values()];
    },
    requests: () => requests,
    units: () => units,
    close: async () => {
      await listening.close();
      await deployment.close();
    },
  };
}

/** Updates name the id of a record as well, and make none. */
function madeBy(path: string, sent: string, answer: string): readonly Made[] {
  if (!path.endsWith('/subscribe')) return [];
  if (path.includes('webcheckin'))
    return [...answer.matchAll(/"checkin_id":"([^"]+)"/g)].map(([, id = '']) => ({
      ...{ kind: 'checkin', id, sent },
    }));
  const body = JSON.parse(sent) as Readonly<Record<string, string>>;
  const { flightNumber, departureAirportIata, arrivalAirportIata, departureDate } = body;
  return [
    {
      kind: 'subscription',
      id: legName(flightNumber, departureAirportIata, arrivalAirportIata, departureDate),
      sent,
    },
  ];
}

/** As the side effects name a leg: without blanks, hyphens and leading zeros of the number. */
function legName(flightNumber = '', ...rest: readonly (string | undefined)[]): string {
  const [flight = '', ...places] = [flightNumber, ...rest].map((part = '') =>
    part.replace(/[\s-]/g, '').toUpperCase(),
  );
  return [flight.replace(/^([A-Z0-9]{2}[A-Z]?)0+(?=\d)/, '$1'), ...places].join(' ');
}

/** How a deployment is watched. */
export interface Watching {
  readonly answerMs: number;
  /** A mistake of the deployment; none if it is missing. */
  readonly defect?: string | undefined;
}
