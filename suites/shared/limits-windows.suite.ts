import {
  type ApiKey,
  type CheckContext,
  type Exchange,
  type Judgement,
  fixed,
  holds,
  limits,
  minuteTitle,
  ownershipOf,
  responseOf,
  suite,
  unclear,
  differs,
  is,
} from '../checks.ts';
import { fillTheHour, keyForTheHour } from '../support/hourInTurn.ts';
import { observeCounting, observeRefusals } from '../support/limitPoints.ts';
import { type Played, LimitTime, freeRequests, nameLimiter, play, quietKeys } from '../support/limits.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Shows a race that admits just a few too many; only if a second key can be used for it. */
const burst = { atMs: 2.6 * minuteMs, count: 200, way: 'together', key: 'second' } as const;

export default suite('Limits: the two windows', [
  fixed({
    id: 'shared.limits.minute',
    title: 'the minute limit is a rolling log of each key, whatever is sent when',
    verifies: [
      'SHR-LIM-001',
      'SHR-LIM-002',
      'SHR-LIM-003',
      'SHR-LIM-004',
      'SHR-LIM-005',
      'SHR-LIM-006',
      'SHR-LIM-011',
      'SHR-LIM-012',
      'SHR-LIM-014',
      'SHR-LIM-025',
      'SHR-OPN-002',
      'SHR-OPN-004',
      'SHR-OPN-006',
    ],
    needs: ['fillable-limits', 'limit-minute'],
    tags: ['limits'],
    exclusive: true,
    // A window is aligned differently at each attempt, so another rule of its limit breaks.
    isOneThing: true,
    run: async (t) => {
      const window = { limit: t.settings.limits.perMinute, windowMs: minuteMs };
      const time = new LimitTime(t);
      const [request, people] = [await freeRequests(t), await quietKeys(t, time)];
      const isForeign = ownershipOf(t.settings) === 'foreign';
      const steps = [...limits.minuteSchedule(window.limit, minuteMs), ...(isForeign ? [] : [burst])];
      if (!time.isMoved) t.tell('limits: the minute takes three windows, some 160 s');
      const played = await play(t, steps, { people, time, request });
      observeRefusals(t, played.exchanges);
      const otherwise = limits.refusedOtherwise(played.decisions, played.exchanges, window);
      if (otherwise !== null) t.judge(played.exchanges, { 'SHR-LIM-002': otherwise });
      const identification = nameLimiter(t, minuteTitle, played.decisions, window);
      observeCounting(t, identification, played.decisions, played.exchanges.at(-1));
      judge(t, played, { decisions: played.decisions, identification, window }, limits.minuteRows);
      skipUntried(t, identification);
    },
  }),

  fixed({
    id: 'shared.limits.retry-after',
    title:
      'a place comes free after a minute and no sooner, and waiting as long as retryAfter says is enough',
    verifies: ['SHR-LIM-005', 'SHR-LIM-020', 'SHR-LIM-021', 'SHR-OPN-013'],
    needs: ['fillable-limits', 'limit-minute'],
    tags: ['limits'],
    exclusive: true,
    run: async (t) => {
      const window = { limit: t.settings.limits.perMinute, windowMs: minuteMs };
      const time = new LimitTime(t);
      const [request, people] = [await freeRequests(t), await quietKeys(t, time)];
      const options = { people, time, request };
      const edge = await play(t, limits.edgeSchedule(window.limit, minuteMs), options);
      t.judge(edge.exchanges, { 'SHR-LIM-005': judgeEdge(t, edge, window) });
      const refusal = refusalIn(edge);
      t.assume(refusal !== null, 'nothing was refused after as many requests as the limit allows');
      if (refusal === null) return;
      t.judge(edge.exchanges, { 'SHR-LIM-020': limits.judgeRetryAfter(refusal, minuteMs) });
      const meaning = limits.meaningOf(refusal, minuteMs);
      if (meaning !== null) t.observe('SHR-OPN-013', meaning, edge.exchanges.at(-1));
      const served = await play(t, [servedAfter(edge)], options);
      t.judge([...edge.exchanges, ...served.exchanges], {
        'SHR-LIM-021': unclear('there is no retryAfter to wait for'),
        ...limits.judgeWaits([...edge.decisions, ...served.decisions], minuteMs),
      });
    },
  }),

  fixed({
    id: 'shared.limits.below-counts',
    title: 'a key that has room by itself is served, whatever other keys have sent',
    verifies: ['SHR-LIM-011', 'SHR-LIM-012'],
    tags: ['limits', 'last-look'],
    exclusive: true,
    run: async (t) => {
      const window = { limit: t.settings.limits.perMinute, windowMs: minuteMs };
      const shared = t.sharedLimit();
      if (shared === null) t.skip('no key was refused that had room by itself');
      if (!t.isRepeat && t.limitsBook.of(minuteTitle) !== null)
        t.skip('the minute limit was tested by itself');
      if (t.settings.share < 1) t.skip('--share says that others use the keys as well');
      t.assume(shared?.windowMs === minuteMs, 'an hour limit that keys share takes an hour to show again');
      const time = new LimitTime(t);
      const [request, quiet] = [await freeRequests(t), await quietKeys(t, time, { isPatient: true })];
      const people = { ...quiet, ...lastTwo(t, quiet.tested) };
      const played = await play(t, limits.scopeSchedule(window.limit), { people, time, request });
      const identification = nameLimiter(t, minuteTitle, played.decisions, window);
      const seen = { decisions: played.decisions, identification, window };
      judge(t, played, seen, limits.minuteRows, ['SHR-LIM-011', 'SHR-LIM-012']);
      skipUntried(t, identification);
    },
  }),

  fixed({
    id: 'shared.limits.hour',
    title: 'the hour limit is a rolling log of each key, beside the minute limit',
    verifies: [
      'SHR-LIM-007',
      'SHR-LIM-008',
      'SHR-LIM-009',
      'SHR-LIM-010',
      'SHR-LIM-011',
      'SHR-LIM-020',
      'SHR-LIM-021',
    ],
    needs: ['fillable-limits', 'state:clock.advance', 'state:enterprise.create'],
    tags: ['limits'],
    exclusive: true,
    // A window is aligned differently at each attempt, so another rule of its limit breaks.
    isOneThing: true,
    run: async (t) => {
      const { perHour } = t.settings.limits;
      const time = new LimitTime(t);
      if (!time.isMoved) t.skip('the state handler does not move the limits');
      const steps = limits.hourSchedule(t.settings.limits);
      if (steps === null) t.skip('the minute limit never lets so many requests through');
      else {
        const [request, people] = [
          await freeRequests(t, false),
          await quietKeys(t, time, { quiet: hourMs + minuteMs }),
        ];
        const { exchanges, decisions } = await play(t, steps, { people, time, request });
        const hourly = { exchanges, decisions: limits.ofTheHour(decisions) };
        const window = { limit: perHour, windowMs: hourMs };
        const identification = nameLimiter(t, 'Hour limit', hourly.decisions, window);
        judge(t, hourly, { ...hourly, identification, window }, limits.hourRows);
        const { tested, second } = people;
        const beside: Exchange[] = [];
        for (const key of second ? [tested, second, tested] : []) beside.push(await t.send(request(key, 0)));
        t.judge([...exchanges, ...beside], hourOfTheKey(beside));
        const waited = await waitOnce(t, hourly, { people, time, request });
        if (waited) t.judge([...exchanges, ...waited.exchanges], waited.said);
      }
    },
  }),

  fixed({
    id: 'shared.limits.hour-awaited',
    title: 'the hour limit lets as many requests through as documented and no more, in real time',
    verifies: ['SHR-LIM-007', 'SHR-LIM-008', 'SHR-LIM-010', 'SHR-LIM-020', 'SHR-LIM-021'],
    needs: ['real-time'],
    tags: ['limits'],
    exclusive: true,
    // A window is aligned differently at each attempt, so another rule of its limit breaks.
    isOneThing: true,
    run: async (t) => {
      if (new LimitTime(t).isMoved) t.skip('the clock is moved instead');
      const { perHour } = t.settings.limits;
      const request = await freeRequests(t, false);
      const { exchanges, decisions } = await fillTheHour(t, keyForTheHour(t), request);
      const window = { limit: perHour, windowMs: hourMs };
      const hourly = limits.ofTheHour(decisions);
      const identification = nameLimiter(t, 'Hour limit', hourly, window);
      judge(t, { exchanges, decisions }, { decisions: hourly, identification, window }, awaitedRows, awaited);
    },
  }),
]);

/** A place that came free too soon, unless the limiter was already seen to be another one. */
function judgeEdge(t: CheckContext, { decisions }: Played, window: limits.WindowLimit): Judgement {
  if (t.limitsBook.of(minuteTitle)?.limiter.documented === false) return holds;
  const all = [...t.limitsBook.decisions(minuteTitle), ...decisions];
  const identification = limits.identify(all, window);
  const { bounds } = limits.documentedResult(identification);
  if (bounds.least <= window.limit) return holds;
  // Only once it is certain: what is noted is known to the repetition.
  if (t.isRepeat) nameLimiter(t, minuteTitle, all, window);
  return limits.violation({ decisions: all, identification, window });
}

/** When the key is served again: soon after a short wait, else after a whole window with a margin for stores that count in seconds. */
function servedAfter({ decisions }: Played): limits.ScheduleStep {
  const wait = decisions.at(-1)?.retryAfter ?? null;
  const atMs = wait !== null && wait <= 2 ? 2500 : Math.ceil(limits.possibleWindow(minuteMs));
  return { atMs, count: 1, way: 'in-turn', key: 'tested' };
}

function refusalIn({ decisions }: Played): limits.RefusedRequest | null {
  const one = decisions.find(({ ruling }) => ruling === 'refused');
  const first = decisions.find(({ ruling }) => ruling === 'admitted');
  return one && first ? { retryAfter: one.retryAfter, at: one, oldest: first } : null;
}

/** Of given keys, the last two: those that were issued later may share what the first one has by itself. */
function lastTwo(t: CheckContext, tested: ApiKey): { readonly tested?: ApiKey; readonly second?: ApiKey } {
  const { given } = t.keys;
  // In the order in which they were given: that of this view is by their room.
  const [second, last] = t.keys
    .all()
    .filter((key) => given.includes(key))
    .slice(-2);
  return given.includes(tested) && second && last ? { tested: last, second } : {};
}

/** Whether another key passes between two requests of a key whose hour is used up; nothing unless both of these are refused. */
function hourOfTheKey(exchanges: readonly Exchange[]): Record<string, Judgement> {
  const [before, beside, after] = exchanges.map((exchange) => responseOf(exchange)?.status);
  if (before !== 429 || after !== 429 || (beside !== 200 && beside !== 429)) return {};
  const want = is.answer(200, 'for another key while the hour of the first one is used up');
  return {
    'SHR-LIM-011': beside === 429 ? differs('shared-hour', 'answer', want, is.answer(429)) : holds,
  };
}

/** An hour is too short to distinguish the models: only whether too many or too few pass counts. */
const awaitedRows: limits.LimitRows = { ...limits.hourRows, models: {} };
const awaited = ['SHR-LIM-007', 'SHR-LIM-008', 'SHR-LIM-010', 'SHR-LIM-020', 'SHR-LIM-021'];

/** What the timeline says about the rows of its limit. */
function judge(
  t: CheckContext,
  { exchanges }: Played,
  seen: limits.Seen,
  rows: limits.LimitRows,
  verified: readonly string[] | null = null,
): void {
  const judged = limits.attribute(seen, rows);
  const isHour = rows !== limits.minuteRows && seen.identification.isDocumented;
  // A 429 by one limit while the other has room shows that they are two.
  const apart: Record<string, Judgement> = isHour
    ? { 'SHR-LIM-010': holds, ...limits.judgeWaits(seen.decisions, hourMs) }
    : {};
  const mine = Object.entries({ ...judged, ...apart }).filter(
    ([row]) => !laterRows.has(row) && (verified?.includes(row) ?? true),
  );
  t.judge(exchanges, Object.fromEntries(mine));
}

/** If no pause of the schedule was as long as the announced wait, adds one of an hour; null if there is no need. */
async function waitOnce(t: CheckContext, { decisions }: Played, options: Parameters<typeof play>[2]) {
  const row = 'SHR-LIM-021';
  const isRefused = decisions.some(({ ruling }) => ruling === 'refused');
  if (!isRefused || row in limits.judgeWaits(decisions, hourMs)) return null;
  const steps = [{ atMs: hourMs + minuteMs, count: 1, way: 'in-turn', key: 'tested' }] as const;
  const served = await play(t, steps, options);
  const { [row]: said } = limits.judgeWaits([...decisions, ...served.decisions], hourMs);
  return said ? { exchanges: served.exchanges, said: { [row]: said } } : null;
}

/** Skips scopes that the requests cannot distinguish, saying what would be needed. */
function skipUntried(t: CheckContext, { models }: limits.Identification): void {
  const needs = models.flatMap(({ id, needs }) =>
    needs === null || laterRows.has(limits.minuteRows.models[id] ?? '') ? [] : [needs],
  );
  if (needs.length > 0) t.skip(`needs ${[...new Set(needs)].join(', and ')}`);
}

/** Rows that other checks verify, with requests of their own. */
const laterRows: ReadonlySet<string> = new Set(['SHR-LIM-013', 'SHR-LIM-024']);
