import { bufferOf } from '../../core/bytes.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { onceForEach } from '../../core/latest.ts';
import { isTooDeep } from '../../core/tooDeep.ts';
import { readForms } from '../../spec/grammar/readForms.ts';
import { jsonTextOf, valueNamed, type JsonObject } from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import { answeredOtherwise, dueAnswer, invalid } from '../kernel/answer.ts';
import { digestOf } from '../../trace/digest.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { sightsIn } from '../../spec/world/sights.ts';

const operations: readonly OperationId[] = ['wci.subscribe', 'wci.status', 'wci.update', 'fla.subscribe'];

/** One 500 may be an accident: the same request again, with others answered in between, is none. */
export const internalErrors: Oracle = {
  id: 'internal-errors',
  title: 'What is missing or malformed in a request is no internal error',
  // SHR-ERR-007 is judged by other oracles as well.
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
  const judgement = answeredOtherwise(call.exchange, dueAnswer(invalid), 'internal');
  return [{ ...sampleOf(rule, judgement), evidence: [call.exchange, before.exchange] }];
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
  return isFlight || op === 'wci.subscribe' || carrier === 'unread' ? null : oddRow(call, known);
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
