import { expect, test } from 'vitest';
import { policyIgnorer } from './ignorers.ts';

type Node = Readonly<Record<string, unknown>>;

const name = (text: string): Node => ({ type: 'Identifier', name: text });
const ask = (member: string): Node => ({
  type: 'MemberExpression',
  object: name('policy'),
  property: name(member),
});
const call = (member: string): Node => ({ type: 'CallExpression', callee: ask(member), arguments: [] });
const not = (argument: Node): Node => ({ type: 'UnaryExpression', operator: '!', argument });
const block: Node = { type: 'BlockStatement', body: [] };
const branch = (asked: Node): Node => ({ type: 'IfStatement', test: asked, consequent: block });

function reasonFor(node: Node, parent: Node = block): string | undefined {
  return policyIgnorer.shouldIgnore({ node, parent });
}

test.each([
  ['a flag', ask('serializesSubscribes')],
  ['a flag that is denied', not(ask('attaches'))],
  ['a call that always says the same', call('storesRefused')],
])('%s of the policy chooses among its variants', (_what, node) => {
  expect(reasonFor(node)).toBe('chooses among the variants of the policy');
});

test.each([
  ['a call that judges', call('isPnr')],
  ['a member that is a text', ask('completeSubStatus')],
  ['a flag of something else', { ...ask('attaches'), object: name('subscription') }],
])('%s is code of the documents', (_what, node) => {
  expect(reasonFor(node)).toBeUndefined();
});

test.each([
  ['what follows where a flag is as no conforming deployment has it', not(ask('serializesSubscribes')), true],
  ['what follows where it is as some have it', ask('serializesSubscribes'), false],
  ['what follows a call that never says yes', call('refusesKeyLate'), true],
])('%s', (_what, asked, isLeftOut) => {
  const reason = reasonFor(block, branch(asked));
  expect(reason).toBe(isLeftOut ? 'runs or counts with a seeded mistake only' : undefined);
});
