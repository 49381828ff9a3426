import { bufferOf } from '../../core/bytes.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { onceForEach } from '../../core/latest.ts';
import { isTooDeep } from '../../core/tooDeep.ts';
import { firstFault, readForms } from '../../spec/grammar/readForms.ts';
import {
  isObject,
  jsonTextOf,
  responseOf,
  valueNamed,
  type Json,
  type JsonObject,
} from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import {
  type Answer,
  answered,
  answeredOtherwise,
  dueAnswer,
  flightNotFound,
  invalid,
  notFound,
  ok,
} from '../kernel/answer.ts';
import { digestOf } from '../../trace/digest.ts';
import { holds, type Judgement } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { sightsIn } from '../../spec/world/sights.ts';

const operations: readonly OperationId[] = [
  ...(['wci.subscribe', 'wci.update', 'wci.status', 'wci.list'] as const),
  ...(['fla.subscribe', 'fla.lookup'] as const),
];

/** One 500 may be an accident: the same request again, with others answered in between, is none. */
export const internalErrors: Oracle = {
  id: 'internal-errors',
  title: 'What is missing or malformed in a request is no internal error',
  // SHR-ERR-007, SHR-ERR-022, and what a subscribe has to refuse, is judged by other oracles as well.
  verifies: ['SHR-ERR-012', 'SHR-ERR-013', 'SHR-ERR-027'],
  operations,
  createWatch: () => {
    const failed = new RecentMap<string, Failure>(1_000);
    const known = new RecentMap<string, true>();
    let answers = 0;
    // Equal answers show the same records.
    const learn = onceForEach(({ checkin_id: id, booking_id: number }: JsonObject): true => {
      for (const shown of [id, number]) known.set(JSON.stringify(shown ?? null), true);
      return true;
    });
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (call?.keyState !== 'active' || call.status === null) return noSamples;
        for (const { record } of sightsIn(exchange)) learn(record);
        if (call.status < 500) answers += 1;
        const unread = unreadRow(call);
        const row = unread ?? (call.status === 500 || failed.size > 0 ? rowOf(call, known) : null);
        if (unread !== null && call.status !== 500) return judgeUnread(exchange, unread);
        const said = row === null ? noSamples : judge(call, row, failed, answers);
        return said === noSamples && isRefusedAsOdd(call, known) ? [sampleOf('SHR-ERR-007', holds)] : said;
      },
      suspicion: (exchange) => {
        const call = callOf(exchange);
        const row = call?.keyState === 'active' && call.status === 500 ? rowOf(call, known) : null;
        return row === null ? noSamples : [sampleOf(row.rule, internal(exchange))];
      },
      forgotten: () => failed.forgotten + known.forgotten,
    };
  },
};

interface Failure {
  readonly exchange: Exchange;
  /** How many requests had been answered by then. */
  readonly answers: number;
}

function judge(
  call: Call,
  { rule, kind }: Row,
  failed: Map<string, Failure>,
  answers: number,
): readonly Sample[] {
  const name = `${call.op} ${kind}`;
  const before = failed.get(name);
  if (call.status !== 500) {
    failed.delete(name);
    return noSamples;
  }
  if (!before) failed.set(name, { exchange: call.exchange, answers });
  if (!before || before.answers === answers) return noSamples;
  return [{ ...sampleOf(rule, internal(call.exchange)), evidence: [call.exchange, before.exchange] }];
}

function internal(exchange: Exchange): Judgement {
  return answeredOtherwise(exchange, dueAnswer(invalid), 'internal');
}

/** What cannot be read is refused, by the API itself. A recording may have lost the end of a body: then only the form of a refusal is judged. */
function judgeUnread(exchange: Exchange, { rule, taken = [] }: Row): readonly Sample[] {
  const judgement = answered(exchange, invalid, ...taken);
  const isSure = responseOf(exchange)?.status === 400 || rule === 'SHR-ERR-013';
  return judgement.status === 'holds' || (judgement.status === 'violated' && isSure)
    ? [sampleOf(rule, judgement)]
    : noSamples;
}

interface Row {
  readonly rule: string;
  /** What may come in place of a refusal. */
  readonly taken?: readonly Answer[];
  /** What makes two requests the same in this respect. */
  readonly kind: string;
}

/** The rule for a body or an address that is no JSON object or no text; null for any other. */
function unreadRow(call: Call): Row | null {
  const { op, exchange, carrier } = call;
  const { body, target, headers } = exchange.request;
  if (carrier === 'query') return target.includes('%') && !isDecodable(target) ? escapeRow(op) : null;
  const [broken, other] =
    op === 'fla.subscribe' ? ['SHR-ERR-027', 'SHR-ERR-027'] : ['SHR-ERR-012', 'SHR-ERR-013'];
  if (carrier === 'multipart' || !/^application\/json\b/i.test(valueNamed(headers, 'content-type') ?? ''))
    return null;
  // A mark in front is skipped or not JSON; what has a fault is refused either way.
  if (body !== null && isMarked(body)) return isFaulty(op, body) ? { rule: broken, kind: 'marked' } : null;
  if (call.body !== null) return null;
  // Nobody knows what a deployment makes of what is nested so deep, but it is no object.
  if (body !== null && isTooDeep(bufferOf(body)))
    return body[0] === 0x5b ? { rule: other, kind: 'deep' } : null;
  return valueIn(body) !== undefined ? { rule: other, kind: 'no object' } : { rule: broken, kind: 'broken' };
}

function escapeRow(op: OperationId): Row {
  const [rule, taken] =
    {
      'fla.lookup': ['SHR-ERR-022', [flightNotFound]] as const,
      'wci.list': ['SHR-ERR-007', [ok]] as const,
    }[op as string] ?? (['SHR-ERR-007', [notFound]] as const);
  return { rule, taken, kind: 'escape' };
}

/** The rule for what is wrong with a request that can be read; null where nothing has to be. */
function rowOf(call: Call, known: RecentMap<string, true>): Row | null {
  const unread = unreadRow(call);
  const { op, carrier, body } = call;
  if (unread || carrier === 'unread') return unread;
  if (carrier === 'multipart') return faultRow(call);
  if (op.startsWith('fla.') || op === 'wci.list' || (op !== 'wci.status' && body === null)) return null;
  return op === 'wci.subscribe' ? faultRow(call) : oddRow(call, known);
}

/** Whether what names nothing, or is malformed, was answered so. */
function isRefusedAsOdd(call: Call, known: RecentMap<string, true>): boolean {
  if (responseOf(call.exchange)?.truncated !== false) return false;
  const isAsked = call.op === 'wci.status' || (call.op === 'wci.update' && call.carrier === 'json');
  return isAsked && (call.status === 400 || call.status === 404) && isOdd(call, known);
}

/** What has to be refused, whatever else is in it. */
function faultRow({ op, carrier, body }: Call): Row | null {
  const asked = { operation: op, carrier: carrier === 'multipart' ? carrier : 'json' } as const;
  const features = readForms(body ?? {}, asked);
  const fault = firstFault(features);
  // What is open may be the reason as well.
  const isAlone = features.every(({ kind }) => kind !== 'open');
  return fault && isAlone ? { rule: fault.rule, kind: fault.spot } : null;
}

/** A read or an update of what no answer has shown, or with something in it that no valid one has. */
function oddRow(call: Call, known: RecentMap<string, true>): Row | null {
  if (!isOdd(call, known)) return null;
  return { rule: 'SHR-ERR-007', kind: digestOf(call.op === 'wci.status' ? call.query : (call.body ?? {})) };
}

function isOdd({ op, carrier, query, body }: Call, known: RecentMap<string, true>): boolean {
  const sent = op === 'wci.status' ? query : (body ?? {});
  const ids = [sent.checkin_id, sent.checkinId, sent.webcheckin_id, sent.booking_id];
  const isKnown = known.forgotten > 0 || ids.some((id) => id !== undefined && known.has(JSON.stringify(id)));
  const asked = { operation: op, carrier: carrier === 'query' ? 'query' : 'json' } as const;
  const isPlain = () => readForms(sent, asked).every(({ kind }) => kind === 'free');
  return !isKnown || !isPlain();
}

function isFaulty(op: OperationId, body: Uint8Array): boolean {
  const sent = valueIn(body);
  if (!isObject(sent)) return true;
  return readForms(sent, { operation: op, carrier: 'json' }).some(
    ({ kind }) => kind === 'fault' || kind === 'lacking',
  );
}

function isMarked(body: Uint8Array): boolean {
  return [0xef, 0xbb, 0xbf].every((byte, at) => body[at] === byte);
}

function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

/** The JSON value of a body; undefined where it is none. */
function valueIn(body: Uint8Array | null): Json | undefined {
  try {
    return JSON.parse((body && jsonTextOf(body)) ?? '') as Json;
  } catch {
    return undefined;
  }
}
