import { bufferOf } from '../../core/bytes.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { onceForEach } from '../../core/latest.ts';
import { isTooDeep } from '../../core/tooDeep.ts';
import { firstFault, readForms } from '../../spec/grammar/readForms.ts';
import { jsonTextOf, valueNamed, type JsonObject } from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import { answeredOtherwise, dueAnswer, invalid } from '../kernel/answer.ts';
import { digestOf } from '../../trace/digest.ts';
import type { Judgement } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { sightsIn } from '../../spec/world/sights.ts';

const operations: readonly OperationId[] = ['wci.subscribe', 'wci.status', 'wci.update', 'fla.subscribe'];

/** One 500 may be an accident: the same request again, with others answered in between, is none. */
export const internalErrors: Oracle = {
  id: 'internal-errors',
  title: 'What is missing or malformed in a request is no internal error',
  // SHR-ERR-007, and what a subscribe has to refuse, is judged by other oracles as well.
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
        const row = call.status === 500 || failed.size > 0 ? rowOf(call, known) : null;
        return row === null ? noSamples : judge(call, row, failed, answers);
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

interface Row {
  readonly rule: string;
  /** What makes two requests the same in this respect. */
  readonly kind: string;
}

/** The rule for what is wrong with a request; null where nothing has to be. */
function rowOf(call: Call, known: RecentMap<string, true>): Row | null {
  const { op, exchange, carrier } = call;
  if (carrier === 'multipart') return null;
  const isFlight = op === 'fla.subscribe';
  if (op !== 'wci.status' && call.body === null) {
    const type = valueNamed(exchange.request.headers, 'content-type') ?? '';
    if (!/^application\/json\b/i.test(type) || isDeep(exchange.request.body)) return null;
    const isJson = isJsonText(exchange.request.body);
    const rule = isJson ? 'SHR-ERR-013' : 'SHR-ERR-012';
    return { rule: isFlight ? 'SHR-ERR-027' : rule, kind: isJson ? 'no object' : 'broken' };
  }
  if (isFlight || carrier === 'unread') return null;
  return op === 'wci.subscribe' ? faultRow(call) : oddRow(call, known);
}

/** A booking that has to be refused, whatever else is in it. */
function faultRow({ op, body }: Call): Row | null {
  const fault = firstFault(readForms(body ?? {}, { operation: op, carrier: 'json' }));
  return fault && { rule: fault.rule, kind: fault.spot };
}

/** A read or an update of what no answer has shown, or with something in it that no valid one has. */
function oddRow({ op, carrier, query, body }: Call, known: RecentMap<string, true>): Row | null {
  const sent = op === 'wci.status' ? query : (body ?? {});
  const ids = [sent.checkin_id, sent.checkinId, sent.webcheckin_id, sent.booking_id];
  const isKnown = known.forgotten > 0 || ids.some((id) => id !== undefined && known.has(JSON.stringify(id)));
  const asked = { operation: op, carrier: carrier === 'query' ? 'query' : 'json' } as const;
  const isPlain = () => readForms(sent, asked).every(({ kind }) => kind === 'free');
  return isKnown && isPlain() ? null : { rule: 'SHR-ERR-007', kind: digestOf(sent) };
}

/** Nobody knows what a deployment makes of such a body. */
function isDeep(body: Uint8Array | null): boolean {
  return body !== null && isTooDeep(bufferOf(body));
}

function isJsonText(body: Uint8Array | null): boolean {
  try {
    JSON.parse((body && jsonTextOf(body)) ?? '');
    return true;
  } catch {
    return false;
  }
}
