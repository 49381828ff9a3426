import { createRandom } from '../../src/core/random.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import type { Decision, Ruling } from '../../src/judge/limits/decision.ts';
import { identify } from '../../src/judge/limits/identify.ts';
import { minuteSchedule, type ScheduleStep } from '../../src/limits/schedule.ts';
import { createDeployment } from '../../src/reference/deployment.ts';
import { defaultEnterprises } from '../../src/reference/enterprises.ts';
import { booking } from '../../test/support/reference.ts';
import { documentedPolicy } from '../../src/reference/policy.ts';
import { attribute, minuteRows } from '../../src/judge/limits/attribute.ts';
import { createQueue, isRight, variants, type Variant } from './variants.ts';

/*
 * How often a limiter is called by its name through a slow network: the reference with one variant, on virtual time, each
 * run with other delays. `node bench/limiters/virtualTime.ts [runs of each variant] [runs of the documented one]`.
 */

const window = { limit: 60, windowMs: 60_000 };
const steps: readonly ScheduleStep[] = [
  ...minuteSchedule(60, 60_000),
  { atMs: 156_000, count: 200, way: 'together', key: 'second' },
];

/** What came before has left the minute. */
const quietMs = 120_000;

interface Network {
  /** Longest delay each way, in milliseconds. */
  readonly delayMs: number;
  /** Share of the answers that are lost. */
  readonly lost: number;
}

const networks: readonly Network[] = [
  { delayMs: 50, lost: 0 },
  { delayMs: 2000, lost: 0 },
];

const [each = '50', documented = '500', only = ''] = process.argv.slice(2);
let failed = 0;
for (const variant of variants.filter(({ title }) => title.includes(only))) {
  for (const network of networks) {
    const seen = await seenOf(variant, network, Number(each));
    const right = seen.filter((one) => one.isRight);
    if (right.length < seen.length) failed += 1;
    const said = (those: typeof seen) => {
      const names = [...new Set(those.map(({ text }) => text))];
      return [...names.slice(0, 3), ...(names.length > 3 ? ['…'] : [])].join('; ');
    };
    const wrong = said(seen.filter((one) => !one.isRight));
    console.log(
      `${variant.title}, delays up to ${network.delayMs} ms: ${right.length} of ${seen.length} (${said(right)})${wrong === '' ? '' : `; else ${wrong}`}`,
    );
  }
}
for (const policy of [{}, { countsRefused: true }]) {
  let contradicted = 0;
  for (let seed = 1; seed <= Number(documented); seed += 1) {
    const decisions = await play({ policy: () => policy }, { delayMs: 2000, lost: 0.05 }, seed);
    if (!identify(decisions, window).isDocumented) contradicted += 1;
  }
  failed += contradicted;
  console.log(
    `documented${'countsRefused' in policy ? ', refused requests counted' : ''}, delays up to 2000 ms, one answer in twenty lost: contradicted in ${contradicted} of ${documented}`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;

/** What each run calls the limiter, and which row it says to be broken. */
async function seenOf(variant: Variant, network: Network, runs: number) {
  const seen: { readonly text: string; readonly isRight: boolean }[] = [];
  for (let seed = 1; seed <= runs; seed += 1) {
    const decisions = await play(variant, network, seed);
    const identification = identify(decisions, window);
    const rows = Object.entries(attribute({ decisions, identification, window }, minuteRows))
      .filter(([, { status }]) => status === 'violated')
      .map(([row]) => row);
    const isFound =
      variant.fails.length === 0 ? rows.length === 0 : rows.some((row) => variant.fails.includes(row));
    const text = `${identification.name}${isFound ? '' : `, failing ${rows.join(', ')}`}`;
    seen.push({ text, isRight: isFound && isRight(variant, identification.name) });
  }
  return seen;
}

/** One run of the schedule against a deployment of its own. */
async function play(
  { policy, queued, beforeMidnightMs }: Pick<Variant, 'policy' | 'queued' | 'beforeMidnightMs'>,
  network: Network,
  seed: number,
): Promise<readonly Decision[]> {
  const random = createRandom(seed);
  const begin =
    beforeMidnightMs === undefined
      ? Date.UTC(2031, 2, 4, 12) + Math.floor(random() * 3_600_000)
      : Date.UTC(2031, 2, 5) - beforeMidnightMs - quietMs;
  const clock = new VirtualClock(begin);
  const { keys, enterprises } = defaultEnterprises(1);
  const deployment = createDeployment({
    clock,
    enterprises,
    policy: { ...documentedPolicy, ...policy({ start: begin + quietMs, random }) },
  });
  const [tested = '', second = ''] = keys.primary;
  const people = { tested, second, other: keys.other[0] ?? '' };
  const flight = { flightNumber: 'ZZ1', departureDate: '2031-03-20' };
  const leg = { departure: { airportIata: 'DXB' }, arrival: { airportIata: 'LHR' } };
  await deployment.stateHandler(
    new Request('http://reference/_state', {
      method: 'POST',
      body: JSON.stringify({ state: 'flights.put', params: { ...flight, legs: [leg] } }),
    }),
  );
  const subscribed = await deployment.fetch(
    new Request('http://reference/extPartner/api/webcheckin/subscribe', {
      method: 'POST',
      headers: { 'x-api-key': tested, 'content-type': 'application/json' },
      body: JSON.stringify(booking()),
    }),
    { remoteAddress: '127.0.0.1' },
  );
  const { checkin_id: record } = (await subscribed.json()) as { readonly checkin_id: string };
  clock.advance(quietMs);
  const start = clock.monotonic();
  const routes = [
    ['webcheckin', 'wci.list', 'webcheckin/requests?limit=1'],
    ['webcheckin', 'wci.list', 'webcheckin/requests?limit=1'],
    ['webcheckin', 'wci.status', `webcheckin/status?checkin_id=${record}`],
    ['flight-alerts', 'fla.lookup', 'flight-alerts?flightNumber=ZZ1&departureDate=2031-03-20'],
  ] as const;
  const decisions: Decision[] = [];
  const queue = createQueue(queued ?? 0);
  const send = async (step: ScheduleStep, index: number): Promise<void> => {
    const [api, route, path] = routes[index % routes.length] ?? routes[0];
    const key = people[step.key];
    const sent = clock.monotonic();
    await clock.sleep(random() * network.delayMs);
    const waits = queued === undefined ? 0 : queue(key, clock.monotonic());
    const status = waits === null ? 429 : await answer(path, key);
    if (waits !== null && waits > 0) await clock.sleep(waits);
    await clock.sleep(random() * network.delayMs);
    const isLost = random() < network.lost;
    const ruling: Ruling = isLost
      ? 'unknown'
      : status === 429
        ? 'refused'
        : status === 200
          ? 'admitted'
          : 'unknown';
    decisions.push({
      id: `x${decisions.length + 1}`,
      sent,
      received: clock.monotonic() + 1 + (isLost ? 10_000 : 0),
      ruling,
      retryAfter: null,
      key: step.key,
      enterprise: step.key === 'other' ? 'other' : 'primary',
      api,
      route,
      address: 'here',
      connection: null,
    });
  };
  const answer = async (path: string, key: string): Promise<number> => {
    const release = clock.hold();
    const request = new Request(`http://reference/extPartner/api/${path}`, { headers: { 'x-api-key': key } });
    const { status } = await deployment.fetch(request, { remoteAddress: '127.0.0.1' });
    release();
    return status;
  };
  for (const step of steps) {
    await clock.sleep(Math.max(0, start + step.atMs - clock.monotonic()));
    const indexes = Array.from({ length: step.count }, (_, index) => index);
    if (step.way === 'together') await Promise.all(indexes.map((index) => send(step, index)));
    else
      for (const index of indexes) {
        await send(step, index);
        await clock.sleep(100);
      }
  }
  await deployment.close();
  return decisions;
}
