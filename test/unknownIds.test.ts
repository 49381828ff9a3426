import { expect, test } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { dialectPoints } from '../src/reference/dialects.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy, type Policy } from '../src/reference/policy.ts';
import { virtualRun } from './support/virtualRun.ts';

const only = ['WCI-UPD-006', 'WCI-UPD-008', 'WCI-UPD-009', 'WCI-STS-004', 'WCI-MP-019', 'WCI-SCP-00*'];

const { enterprises, keys } = defaultEnterprises(4);

type App = (request: Request) => Promise<Response>;

/** What fails in a run beside another enterprise, on a deployment with something in front of it. */
async function failures(policy: Partial<Policy>, before: (app: App) => App = (app) => app) {
  const clock = new VirtualClock(Date.parse('2026-07-01T10:00:00Z'));
  const deployment = createDeployment({ enterprises, clock, policy: { ...documentedPolicy, ...policy } });
  const { session } = await virtualRun({
    ...{ app: before((request) => deployment.fetch(request)), clock, config: { only } },
    ...{ primary: keys.primary, other: keys.other },
  });
  const verdicts = session.outcomes.flatMap(({ verdicts: all }) => [...all]);
  return [...new Set(verdicts.filter(([, { status }]) => status === 'fail').map(([id]) => id))].sort();
}

const numbered = ['checkin-ids', 'booking-numbers'].flatMap((name) =>
  Object.entries(dialectPoints.find((one) => one.name === name)?.variants ?? {}).map(
    ([variant, policy]) => [`${name}=${variant}`, policy] as const,
  ),
);

test.each(numbered)('no id is taken for unknown that is given: %s', async (_name, policy) => {
  expect(await failures(policy)).toEqual([]);
});

/** A deployment on which the first ids that name nothing are records of the same enterprise after all. */
function given(most: number): (app: App) => App {
  return (app) => {
    const [made, others] = [new Set<string>(), new Set<string>()];
    const records = new Map<string, string>();
    return async (request) => {
      const asked = await idsOf(request.clone());
      const key = request.headers.get('x-api-key') ?? '';
      const holder = keys.other.includes(key) ? 'other' : 'primary';
      const response = await app(request);
      const text = await response.clone().text();
      for (const [found, id = ''] of text.matchAll(/"(?:checkin_id":"([^"]*)"|booking_id":\d+)/g)) {
        made.add(found);
        if (id !== '') records.set(holder, id);
      }
      const [id, known] = [JSON.stringify(asked).slice(1, -1), records.get(holder)];
      const isOther = response.status === 404 && known !== undefined && asked !== null && !made.has(id);
      if (!isOther || (!others.has(id) && others.size >= most)) return response;
      others.add(id);
      const address = new URL(`/extPartner/api/webcheckin/status?checkin_id=${known}`, request.url);
      const own = await app(new Request(address, { headers: { 'x-api-key': key } }));
      const record = { ...((await own.json()) as object), ...asked };
      const data = { success: true, type: 'passengers', operation: 'update', data: record };
      return Response.json(request.url.includes('/status') ? record : data);
    };
  };
}

/** The id that a request names its record by. */
async function idsOf(request: Request): Promise<object | null> {
  const id = new URL(request.url).searchParams.get('checkin_id');
  if (id !== null) return { checkin_id: id };
  const isJson = request.headers.get('content-type')?.includes('json') === true;
  if (!request.url.endsWith('/update') || !isJson) return null;
  const { booking_id: booking, checkin_id: checkin } = (await request.json()) as Record<string, unknown>;
  return checkin === undefined ? { booking_id: booking } : { checkin_id: checkin };
}

test('an id that turns out to be given is left for another, but not for ever', async () => {
  expect(await failures({}, given(3))).toEqual([]);
  expect(await failures({}, given(1000))).toEqual(
    expect.arrayContaining(['WCI-STS-004', 'WCI-UPD-008', 'WCI-UPD-009']),
  );
});
