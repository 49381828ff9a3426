import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationIds } from '../core/operations.ts';
import {
  item,
  leg,
  listBody,
  statusBody,
  subscribed,
  updateBody,
  legRequest,
  callbackData,
} from '../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../test/support/judge/exchanges.ts';
import { samplesOf, type Oracle } from './kernel/oracle.ts';
import { wordsOf } from '../spec/wording/words.ts';
import { oracles } from './oracles.ts';

const status = fc.constantFrom(200, 201, 302, 400, 401, 402, 404, 409, 413, 422, 429, 500, 502, 503, 599);
const statusOfAny = fc.oneof({ weight: 3, arbitrary: fc.constant(200) }, status);

/** A documented body with arbitrary values under some of its names, at any depth. */
const templates = [
  subscribed(),
  statusBody(),
  updateBody(),
  listBody([item(), item({ checkin_id: 'b' })]),
  [leg({ alternateInfo: [{ departure: {}, arrival: {} }] }), leg()],
  { success: true, latest_status_snapshot: leg(), callbackApiKey: 'k' },
  { success: false, error: 'X', message: 'Y', retryAfter: 3 },
];
const mutated = fc
  .tuple(
    fc.constantFrom(...templates),
    fc.array(fc.tuple(fc.nat(60), fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 }),
  )
  .map(([template, changes]) =>
    changes.reduce<unknown>((body, [at, value]) => replaceAt(body, at, value), template),
  );

function replaceAt(body: unknown, at: number, value: unknown): unknown {
  let left = at;
  const walk = (node: unknown): unknown => {
    left -= 1;
    if (left === -1) return value;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, walk(member)]));
  };
  return walk(body);
}

const sketch: fc.Arbitrary<ExchangeSketch> = fc
  .record({
    operation: fc.constantFrom(...operationIds, null),
    status: statusOfAny,
    content: fc.oneof(
      fc.record({ body: fc.oneof(mutated, fc.jsonValue()) }),
      fc.record({ raw: fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 60 })) }),
    ),
    query: fc.oneof(fc.constantFrom('page=1&limit=%zz', 'checkin_id=b', 'status=FAILED'), fc.string()),
    sentRaw: fc.oneof(
      fc.json(),
      fc.string(),
      fc.constant(JSON.stringify(legRequest({ callbackData: callbackData() }))),
    ),
    enterprise: fc.constantFrom('primary', 'other', null),
    key: fc.constantFrom('primary#1', 'other#1', null),
    truncated: fc.boolean(),
  })
  .map(({ content, ...rest }) => ({ ...rest, ...content }));

/** What an internal error breaks, and what a known booking shows, are rows of other oracles as well. */
function judgedBy({ id, verifies }: Oracle): readonly string[] {
  return id === 'internal-errors' || id === 'known-bookings'
    ? oracles.flatMap((oracle) => oracle.verifies)
    : verifies;
}

test('no answer whatever makes an oracle throw, and each judges only what it verifies', () => {
  fc.assert(
    fc.property(fc.array(sketch, { minLength: 1, maxLength: 6 }), (sketches) => {
      const exchanges = sketches.map(exchange);
      for (const oracle of oracles) {
        const watch = oracle.createWatch();
        for (const one of exchanges) {
          for (const { requirement, judgement } of samplesOf(watch, one)) {
            expect(judgedBy(oracle)).toContain(requirement);
            if (judgement.status === 'violated') expect(wordsOf(judgement).actual).not.toBe('');
          }
        }
      }
    }),
    { numRuns: 600 },
  );
});

test('a judgement is the same when the same traffic is judged again', () => {
  fc.assert(
    fc.property(fc.array(sketch, { minLength: 1, maxLength: 4 }), (sketches) => {
      const exchanges = sketches.map(exchange);
      expect(judgeLast(...exchanges)).toEqual(judgeLast(...exchanges));
    }),
    { numRuns: 200 },
  );
});
