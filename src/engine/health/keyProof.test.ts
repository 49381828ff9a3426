import { expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
import type { ApiRequest } from '../../send/request.ts';
import { KeyProof } from './keyProof.ts';

const second = { label: 'primary#2', enterprise: 'primary', value: 'k2' };

function answered(status: number | null): Exchange {
  const outcome =
    status === null
      ? { kind: 'failure', failure: {} }
      : { kind: 'response', response: { status, headers: [], body: null } };
  return { check: 'wci.list.pages', outcome } as unknown as Exchange;
}

/** A proof in which each operation is answered with a status, and its result. */
function proofWith(statusOf: (request: ApiRequest) => number | null) {
  const [sent, unknown]: [(string | null)[], string[]] = [[], []];
  const proof = new KeyProof({
    apis: ['webcheckin', 'flight-alerts'],
    now: () => Date.UTC(2026, 0, 1),
    send: (request) => {
      sent.push(request.operation);
      return Promise.resolve(answered(statusOf(request)));
    },
    onUnknown: (why) => unknown.push(why),
  });
  return { proof, sent, unknown };
}

test('a key whose every read is refused is named, once', async () => {
  const { proof, sent, unknown } = proofWith(() => 401);
  await Promise.all([proof.see(second, answered(401)), proof.see(second, answered(401))]);
  expect(sent).toEqual(['wci.list', 'wci.status', 'fla.lookup', 'fla.lookup']);
  expect(unknown).toEqual([expect.stringContaining('primary#2 (number 2 of GATECHECK_KEYS_PRIMARY)')]);
  expect(unknown.join()).not.toContain('k2');
});

test.each<[what: string, statusOf: (request: ApiRequest) => number | null]>([
  ['one operation takes the key', ({ operation }) => (operation === 'fla.lookup' ? 404 : 401)],
  ['a read is not answered', () => null],
  ['a read is refused by the limit', () => 429],
])('a key is not held to be unknown where %s', async (_what, statusOf) => {
  const { proof, unknown } = proofWith(statusOf);
  await proof.see(second, answered(401));
  expect(unknown).toEqual([]);
  expect(proof.see(second, answered(401))).toBeNull();
});

test('a key that was taken before may be refused: no read is sent', () => {
  const { proof, sent } = proofWith(() => 401);
  expect([200, 401, 401].map((status) => proof.see(second, answered(status)))).toEqual([null, null, null]);
  expect(sent).toEqual([]);
});

test.each([429, 503, null])('an answer of %s does not prove a key', async (status) => {
  const { proof, unknown } = proofWith(() => 401);
  expect(proof.see(second, answered(status))).toBeNull();
  await proof.see(second, answered(401));
  expect(unknown).toHaveLength(1);
});

test.each(['revoked', 'disabled', 'suspended', 'issued#1'])(
  'a key %s is refused for reasons of its own',
  (label) => {
    const { proof } = proofWith(() => 401);
    expect(proof.see({ ...second, label }, answered(401))).toBeNull();
  },
);

test('where a budget ends the proof, what the check asked stays open', async () => {
  const { proof, unknown } = proofWith(() => {
    throw new BudgetExhausted('requests', 1);
  });
  await expect(proof.see(second, answered(401))).rejects.toBeInstanceOf(BudgetExhausted);
  expect(unknown).toEqual([]);
});
