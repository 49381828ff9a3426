import type { Clock } from '../../core/clock.ts';
import type { RecordedResponse } from '../../core/evidence.ts';
import { hash32 } from '../../core/random.ts';
import type { WireResult } from '../../send/transport.ts';
import {
  readRequest,
  withField,
  fieldOf,
  onAnswers,
  onJson,
  receivedNow,
  withAnswer,
  withBytes,
} from '../asked.ts';
import {
  editSpots,
  canonical,
  isItems,
  isMembers,
  readJson,
  writeJson,
  type Json,
  joinedWires,
  type Wire,
} from '../json.ts';
import type { Making, Variation } from './variation.ts';

/** Answers and clocks as networks, balancers and replicas make them. */
export const timeVariations: readonly Variation[] = [
  {
    id: 'slow-requests',
    family: 'time',
    law: 'No document says how soon a request arrives.',
    wire: (making) => delayed(making, () => [2000 * making.random(), 0]),
  },
  {
    id: 'slow-answers',
    family: 'time',
    law: 'No document says how soon an answer comes.',
    wire: (making) => delayed(making, () => [0, 2000 * making.random()]),
  },
  {
    id: 'jitter',
    family: 'time',
    law: 'No document says how even a network is.',
    wire: (making) =>
      delayed(making, () =>
        making.random() < 0.2 ? [900 * making.random(), 900 * making.random()] : [3, 20],
      ),
  },
  ...[-10_800, -300, -40, 40, 300, 9_600].map(clockOff),
  {
    id: 'two-nodes',
    family: 'time',
    law: 'No document says that the machines of a deployment have one clock; two seconds apart is usual.',
    wire: twoNodes,
  },
  {
    id: 'read-cache',
    family: 'time',
    law: 'No document says that a read shows what was written within the last half second.',
    wire: (making) => readCache(making, true),
  },
  {
    id: 'gateway-cache',
    family: 'time',
    law: 'No document says that a read shows at once what a state handler did: it may not know of a cache in front of the application.',
    wire: (making) => readCache(making, false),
  },
  {
    id: 'list-lag',
    family: 'time',
    law: 'No document says that a list holds what was made within the last half second.',
    wire: listLag,
  },
];

/** Holds each request back before it is passed on, and each answer before it is handed over. */
function delayed({ clock }: Making, draw: () => readonly [before: number, after: number]): Wire {
  return {
    send: (inner) => async (request) => {
      const [before, after] = draw();
      const { sentAt, sent } = now(clock);
      await clock.sleep(Math.round(before));
      const result = await inner(request);
      await clock.sleep(Math.round(after));
      const received = receivedNow(result, clock);
      return { ...received, timings: { ...received.timings, sentAt, sent } };
    },
  };
}

function now(clock: Clock): { readonly sentAt: number; readonly sent: number } {
  return { sentAt: clock.now(), sent: clock.monotonic() };
}

function clockOff(seconds: number): Variation {
  return {
    id: `clock-off${seconds > 0 ? '+' : ''}${seconds}`,
    family: 'time',
    law: 'No document says how exact the clock of a deployment is; it goes by its own.',
    wire: () => ({
      clock: (inner) => ({
        now: () => inner.now() + seconds * 1000,
        monotonic: () => inner.monotonic(),
        sleep: (ms, signal) => inner.sleep(ms, signal),
        timer: (ms, task) => inner.timer(ms, task),
      }),
    }),
  };
}

const apart = 2000;
const stamps: ReadonlySet<string> = new Set(['created_at', 'last_updated', 'occurredAt']);

/** Every instant was written by one of two nodes; who wrote it follows from the instant and the record. */
function twoNodes({ random }: Making): Wire {
  const salt = String(random());
  const stamped = (text: string, record: string) => {
    const at = Date.parse(text);
    const isAhead = hash32(`${salt}/${record}/${text}`) % 2 === 0;
    return Number.isNaN(at) || !isAhead ? text : new Date(at + apart).toISOString();
  };
  const shift = (value: Json) =>
    editSpots(value, ({ path, value: text, around }) =>
      typeof text === 'string' && stamps.has(path.split('.').at(-1) ?? '')
        ? stamped(text, canonical(around[0]?.checkin_id))
        : text,
    );
  return joinedWires([
    onJson(shift),
    onAnswers((answer) => {
      const date = fieldOf(answer.headers, 'date');
      if (date === null || random() < 0.5) return answer;
      const ahead = new Date(Date.parse(date) + apart).toUTCString();
      return { ...answer, headers: withField(answer.headers, 'date', ahead) };
    }),
  ]);
}

const lagMs = 450;

interface Known {
  readonly at: number;
  readonly result: WireResult;
}

/** A read is answered as the same read was within the last half second. */
function readCache({ clock }: Making, isClearedByHandler: boolean): Wire {
  const answers = new Map<string, Known>();
  const isFresh = (known: Known) => clock.monotonic() - known.at <= lagMs;
  return {
    // What the state handler says is done can be seen.
    set: (inner) => (state, params) => {
      if (isClearedByHandler) answers.clear();
      return inner(state, params);
    },
    send: (inner) => async (request) => {
      const { operation, key } = readRequest(request);
      // Sent all the same, so that it is counted and can be refused.
      const result = await inner(request);
      if ((operation !== 'wci.status' && operation !== 'wci.list') || !isOk(result)) return result;
      const name = `${key ?? ''} ${request.target}`;
      const known = answers.get(name);
      if (known && isFresh(known)) return { ...known.result, timings: result.timings };
      answers.set(name, { at: clock.monotonic(), result });
      return result;
    },
  };
}

/** A list that has all its items on one page leaves out what was made within the last half second. */
function listLag({ clock }: Making): Wire {
  const made = new Map<Json, number>();
  const isNew = (item: Json) =>
    isMembers(item) && clock.monotonic() - (made.get(item.checkin_id ?? null) ?? -Infinity) <= lagMs;
  return {
    send: (inner) => async (request) => {
      const { operation } = readRequest(request);
      const result = await inner(request);
      if (operation === 'wci.subscribe' && isOk(result)) note(made, result, clock.monotonic());
      return operation === 'wci.list' ? withAnswer(result, (answer) => without(answer, isNew)) : result;
    },
  };
}

function isOk({ outcome }: WireResult): boolean {
  return outcome.kind === 'response' && outcome.response.status === 200;
}

function note(made: Map<Json, number>, { outcome }: WireResult, at: number): void {
  const body = outcome.kind === 'response' ? readJson(outcome.response.body) : undefined;
  const id = isMembers(body) ? body.checkin_id : undefined;
  if (id !== undefined && !made.has(id)) made.set(id, at);
}

function without(answer: RecordedResponse, isNew: (item: Json) => boolean): RecordedResponse {
  const body = readJson(answer.body);
  if (!isMembers(body) || !isItems(body.data) || !isMembers(body.pagination)) return answer;
  const { total, limit } = body.pagination;
  const kept = body.data.filter((item) => !isNew(item));
  // Of several pages, what is left out of one would move all others; an empty list is spelled in more than one way.
  if (total !== body.data.length || kept.length === 0 || typeof limit !== 'number') return answer;
  const pagination = { ...body.pagination, total: kept.length, totalPages: Math.ceil(kept.length / limit) };
  return withBytes(answer, writeJson({ ...body, data: kept, pagination }));
}
