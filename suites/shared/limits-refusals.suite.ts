import {
  type ApiKey,
  type CheckContext,
  type Exchange,
  type Judgement,
  fixed,
  holds,
  isAccepted,
  limits,
  list,
  memberOf,
  recordOf,
  responseOf,
  status,
  subscribe,
  suite,
  unclear,
  update,
  differs,
  is,
  numberDue,
} from '../checks.ts';
import { newEnterprise, withKey } from '../support/enterprises.ts';
import { checkinProbes, flightProbes, judgeFull } from '../support/limitProbes.ts';
import { LimitTime, freeRequests, quietKeys, someFlight, untilFull } from '../support/limits.ts';
import { findListed, isListed } from '../support/listing.ts';

const minuteMs = 60_000;

/** What a caller can claim about itself; budgets are counted by key. Addresses are those reserved for documentation. */
const disguises: readonly { name: string; header: readonly [string, string] }[] = [
  { name: 'another X-Forwarded-For', header: ['x-forwarded-for', '203.0.113.77'] },
  { name: 'another User-Agent', header: ['user-agent', 'another-client/1.0'] },
];

/** Enough that hardly all of them end at the process that has the first one. */
const otherConnections = [2, 3, 4, 5, 6].map((number) => `limits ${number}`);

/** Requests that may be lost with a connection while a budget is filled. */
const mayLose = 4;

export default suite('Limits: refusals', [
  fixed({
    id: 'shared.limits.side-effects',
    title: 'a key that is full is refused whatever it sends, and what is refused changes nothing',
    verifies: ['SHR-LIM-020', 'SHR-LIM-023', 'SHR-LIM-028', 'SHR-LIM-029', 'SHR-OPN-007'],
    needs: ['fillable-limits', 'state:enterprise.create'],
    uses: ['complete-record'],
    tags: ['limits'],
    exclusive: true,
    run: async (t) => {
      if (!t.apis.includes('webcheckin')) t.skip('the target has no web check-in');
      const [throttled, free] = await newEnterprise(t, 10, 2);
      if (!throttled || !free) return;
      const body = await t.fixtures.booking();
      const subscribed = await t.send(subscribe(body, { key: withKey(free) }));
      t.assume(isAccepted(subscribed), `${subscribed.id}: no record could be made`);
      const record = recordOf(body, subscribed);
      const { checkinId } = record;
      const flight = t.apis.includes('flight-alerts') ? await someFlight(t) : null;
      const probes = [
        ...(await checkinProbes(t, record, throttled)),
        ...(flight === null ? [] : flightProbes(flight, throttled)),
      ];
      const filled = await exhaust(t, throttled);
      const options = { key: withKey(throttled), wantsRefusal: true };
      const changed = { checkin_id: checkinId, type: 'pnr', payload: { pnr: t.identities.pnr() } };
      await t.each(['SHR-LIM-028', 'SHR-LIM-023'], (rule) =>
        rule === 'SHR-LIM-028'
          ? judgeUpdate(t, { checkinId, pnr: body.pnr, changed, throttled, free })
          : judgeSubscribe(t, subscribed, { throttled, free }),
      );
      // Last: requests that pass may make a record.
      await judgeFull(t, probes, filled);
      const broken = await t.send(status({}, options));
      const code = responseOf(broken)?.status;
      if (code === 429 || code === 400)
        t.observe('SHR-OPN-007', code === 429 ? 'rate-limit-first' : 'validation-first', broken);
    },
  }),

  fixed({
    id: 'shared.limits.connections',
    title:
      'a key that is refused on one connection is refused on all others, and whatever else its requests say of the caller',
    verifies: ['SHR-LIM-024', 'SHR-LIM-029'],
    needs: ['fillable-limits', 'limit-minute'],
    tags: ['limits'],
    exclusive: true,
    run: async (t) => {
      const request = await freeRequests(t);
      const { tested } = await quietKeys(t, new LimitTime(t));
      const over = (connection: string) => ({ ...request(tested, 0), connection });
      const most = t.settings.limits.perMinute + 5;
      const { admitted, exchanges } = await untilFull(t, () => over('limits 1'), most, mayLose);
      t.assume(admitted < most, 'nothing was refused on one connection');
      const others: Exchange[] = [];
      for (const name of otherConnections) others.push(await t.send(over(name)));
      const again = await t.send(over('limits 1'));
      t.judge([...exchanges, ...others, again], {
        'SHR-LIM-024': judgeConnections(others, again, exchanges),
      });
      await t.each(disguises, async ({ name, header }) => {
        const look = async () => {
          const disguised = await t.send({ ...over('limits 1'), headers: [header] });
          return [disguised, await t.send(over('limits 1'))] as const;
        };
        const first = await look();
        // A place may have become free just then: if that happens twice, each time just before a look that finds none, it is no
        // coincidence.
        const looks = isServedOnly(first) ? [first, await look()] : [first];
        t.judge([...exchanges, ...looks.flat()], { 'SHR-LIM-029': judgeDisguise(name, looks) });
      });
    },
  }),
]);

/** Uses up the budget of a key, and makes sure that it is refused. */
async function exhaust(t: CheckContext, key: ApiKey): Promise<readonly Exchange[]> {
  const most = t.settings.limits.perMinute + 5;
  const fill = () => list({ limit: '1' }, { key: withKey(key) });
  const { admitted, exchanges } = await untilFull(t, fill, most, mayLose);
  t.assume(admitted < most, 'nothing was refused, so that nothing can be refused');
  return exchanges;
}

interface RefusedUpdate {
  readonly checkinId: string;
  readonly pnr: unknown;
  readonly changed: Parameters<typeof update>[0];
  readonly throttled: ApiKey;
  readonly free: ApiKey;
}

async function judgeUpdate(
  t: CheckContext,
  { checkinId, pnr, changed, throttled, free }: RefusedUpdate,
): Promise<void> {
  const refused = await t.send(update(changed, { key: withKey(throttled), wantsRefusal: true }));
  t.assume(codeOf(refused) === 429, `${refused.id}: the update was not refused by the limit`);
  const { page, item } = await findListed(t, ({ checkin_id }) => checkin_id === checkinId, {
    key: withKey(free),
    until: isListed,
  });
  const judgement =
    item === null
      ? unclear('the record was not found in the list')
      : item.pnr === pnr
        ? holds
        : differs('changed', 'pnr', is.value(pnr, 'as it was'), is.value(item.pnr));
  t.judge([refused, page], { 'SHR-LIM-028': judgement });
}

/** A key whose budget is used up, and another one of its enterprise. */
interface TwoKeys {
  readonly throttled: ApiKey;
  readonly free: ApiKey;
}

async function judgeSubscribe(
  t: CheckContext,
  before: Exchange,
  { throttled, free }: TwoKeys,
): Promise<void> {
  const body = await t.fixtures.booking();
  const refused = await t.send(subscribe(body, { key: withKey(throttled), wantsRefusal: true }));
  t.assume(codeOf(refused) === 429, `${refused.id}: the subscribe was not refused by the limit`);
  const { page, item } = await findListed(t, ({ pnr }) => pnr === body.pnr, { key: withKey(free) });
  const control = await t.send(subscribe(await t.fixtures.booking(), { key: withKey(free) }));
  const [first, then] = [before, control].map((one) => memberOf(one, 'quota', 'consumed_units'));
  const rise = typeof first === 'number' && typeof then === 'number' ? then - first : null;
  t.judge([before, refused, page, control], { 'SHR-LIM-023': judgeNothing(item !== null, rise) });
}

/** Between the record that was made before and the control lies the unit of the control. */
function judgeNothing(isListed: boolean, rise: number | null): Judgement {
  if (isListed) return numberDue('created', 'items', 0, 1, 'of a refused subscribe');
  if (rise !== null && rise > 1) return numberDue('consumed', 'units', 1, rise, 'for the subscribe after it');
  return holds;
}

/** Of several processes that count for themselves, one may have the connections of another. */
function judgeConnections(
  others: readonly Exchange[],
  again: Exchange,
  filled: readonly Exchange[],
): Judgement {
  const passed = others.filter((exchange) => codeOf(exchange) === 200);
  if (others.every((exchange) => codeOf(exchange) === 429)) return holds;
  const since = Math.min(...filled.map(({ timings }) => timings.sent));
  const isStillFull =
    codeOf(again) === 429 && again.timings.received - since < limits.certainWindow(minuteMs);
  if (passed.length === 0 || !isStillFull) return unclear('the limit opened again meanwhile');
  return differs(
    'connections',
    'answer',
    is.answer(429, 'on every connection'),
    is.answer(200, `on ${passed.length} of ${others.length} others than the first`),
  );
}

/** A request with another claim about the caller, and then the same one without it. */
type DisguisedLook = readonly [disguised: Exchange, plain: Exchange];

function isServedOnly([disguised, plain]: DisguisedLook): boolean {
  return codeOf(disguised) === 200 && codeOf(plain) === 429;
}

function judgeDisguise(name: string, looks: readonly DisguisedLook[]): Judgement {
  if (looks.some(([disguised]) => codeOf(disguised) === 429)) return holds;
  if (!looks.every(isServedOnly)) return unclear('the limit opened again, or it was refused otherwise');
  const want = is.answer(429, `with ${name} as without it`);
  return differs('disguise', 'answer', want, is.answer(200, `with ${name}`));
}

function codeOf(exchange: Parameters<typeof responseOf>[0]): number {
  return responseOf(exchange)?.status ?? 0;
}
