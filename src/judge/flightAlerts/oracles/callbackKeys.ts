import type { Exchange } from '../../../core/evidence.ts';
import { objectOf, responseOf, valueNamed, type Json } from '../../kernel/body.ts';
import { requestedLeg, type LegRequest } from '../../../spec/world/legs.ts';
import { holds, unclear, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** When a subscription has returned its key. */
interface Returned {
  readonly id: string;
  readonly key: string;
  readonly sent: number;
  readonly received: number;
  /** The latest subscribe without callbackData since, which must not have dropped the callback. */
  without?: string;
}

interface Memory {
  /** By API key and leg: whether a subscription belongs to the key or to the enterprise is open. */
  readonly returned: RecentMap<string, Returned>;
  readonly apiKeys: Set<string>;
  /** What all callback keys begin with; null before the first. */
  prefix: string | null;
}

/** When callbackApiKey is returned, and what it may not be. A judgement never contains key values. */
export const callbackKeys: Oracle = {
  id: 'callback-keys',
  title: 'callbackApiKey is returned once, to the subscribe that first registers a callback',
  verifies: ['FLA-SUB-004', 'FLA-SUB-005', 'FLA-SUB-006', 'FLA-SUB-029', 'FLA-CB-028', 'FLA-CBR-019'],
  createWatch: () => {
    const memory: Memory = { returned: new RecentMap(), apiKeys: new Set(), prefix: null };
    return {
      exchange: (exchange) => {
        const apiKey = valueNamed(exchange.request.headers, 'x-api-key');
        if (exchange.enterprise !== null && apiKey !== null) memory.apiKeys.add(apiKey);
        if (exchange.operation !== 'fla.subscribe' || responseOf(exchange)?.status !== 200) return noSamples;
        const body = objectOf(exchange);
        const requested = requestedLeg(exchange);
        return body && requested
          ? judge(exchange, requested, body.callbackApiKey ?? null, memory)
          : noSamples;
      },
      forgotten: () => memory.returned.forgotten,
    };
  },
};

function judge(exchange: Exchange, requested: LegRequest, key: Json, memory: Memory): readonly Sample[] {
  const isKey = typeof key === 'string' && key !== '';
  const name = `${exchange.key ?? ''} ${requested.name}`;
  const before = memory.returned.get(name);
  if (!requested.callback) {
    if (before) before.without = exchange.id;
    if (!isKey) return [sampleOf('FLA-SUB-004', holds)];
    return [
      sampleOf('FLA-SUB-004', violated('returned', 'no callbackApiKey without callbackData', lengthOf(key))),
    ];
  }
  if (key === null || key === '') {
    return before && exchange.timings.sent > before.received ? [sampleOf('FLA-SUB-006', holds)] : noSamples;
  }
  if (!isKey)
    return [
      sampleOf('FLA-SUB-005', violated('type', 'callbackApiKey is a non-empty string', `a ${typeof key}`)),
    ];
  const { sent, received } = exchange.timings;
  if (!before && exchange.key !== null) memory.returned.set(name, { id: exchange.id, key, sent, received });
  return [
    before ? judgeAgain(exchange, key, before) : sampleOf('FLA-SUB-005', holds),
    ...judgeValue(key, memory),
  ];
}

/** A second answer with a key: after the first one, or at the same time. */
function judgeAgain({ id, timings }: Exchange, key: string, before: Returned): Sample {
  const isSame = key === before.key;
  if (timings.sent > before.received || timings.received < before.sent) {
    const since =
      before.without === undefined ? '' : `, and a subscribe without callbackData in ${before.without}`;
    const actual = `${isSame ? 'the same' : 'another'} callbackApiKey again, after that of ${before.id}${since}`;
    return sampleOf('FLA-SUB-006', violated('again', 'callbackApiKey once for a subscription', actual));
  }
  // If it came at the same moment as the earlier answer, the order is unknown.
  const isTogether = timings.sent < before.received && timings.received > before.sent;
  if (!isTogether)
    return sampleOf('FLA-SUB-029', unclear(`${id}: a key again, at the moment of the first one`));
  if (isSame)
    return sampleOf('FLA-SUB-029', unclear(`${id}: two simultaneous subscribes returned the same key`));
  return sampleOf(
    'FLA-SUB-029',
    violated('two-keys', 'one key for simultaneous identical subscribes', 'two different keys'),
  );
}

function judgeValue(key: string, memory: Memory): readonly Sample[] {
  const own = memory.apiKeys.has(key)
    ? sampleOf(
        'FLA-CB-028',
        violated('same', 'a key that is none of the partner', 'the value of an X-API-Key'),
      )
    : sampleOf('FLA-CB-028', holds);
  const before = memory.prefix;
  const prefix = before === null ? key : commonPrefix(before, key);
  memory.prefix = prefix;
  if (before === null || before === key) return [own];
  if (prefix !== '') return [own, sampleOf('FLA-CBR-019', holds)];
  return [
    own,
    sampleOf('FLA-CBR-019', violated('prefix', 'the prefix of the keys before', 'another beginning')),
  ];
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

function lengthOf(key: string): string {
  return `a callbackApiKey of ${key.length} characters`;
}
