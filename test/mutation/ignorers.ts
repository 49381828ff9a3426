import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';
import { dialectPoints } from '../../src/reference/dialects.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';

/** As much of a Babel path as is looked at here; its types do not come with Stryker. */
interface SyntaxPath {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | null;
}

interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * Texts for people: the documents ask for a `message`, and leave open what it says. What holds a blank and ends like a
 * sentence is one.
 */
export const proseIgnorer: Ignorer = {
  shouldIgnore: (path) => (isProse(nodeOf(path)) ? 'a text for people, whose wording is free' : undefined),
};

/**
 * Tests of a policy member against a value. Where the value is that of a conforming deployment, a mutant has another
 * conforming one; where it is that of a seeded mistake, no conforming deployment runs the code behind it.
 */
export const policyIgnorer: Ignorer = {
  shouldIgnore: (path) => {
    const { node, parent } = path as unknown as SyntaxPath;
    if (choiceOf(node)) return 'chooses among the variants of the policy';
    return parent && isBehindMistake(node, parent) ? 'runs with a seeded mistake only' : undefined;
  },
};

function nodeOf(path: NodePath): SyntaxNode {
  return (path as unknown as SyntaxPath).node;
}

function isProse(node: SyntaxNode): boolean {
  const text =
    node.type === 'StringLiteral'
      ? String(node.value)
      : node.type === 'TemplateLiteral'
        ? (node.quasis as readonly { readonly value: { readonly raw: string } }[])
            .map(({ value }) => value.raw)
            .join('x')
        : '';
  return /^\S+ .*[.]$/s.test(text);
}

interface Choice {
  readonly member: keyof Policy;
  readonly value: unknown;
  readonly equal: boolean;
}

/** The comparison `policy.member === value` or `!==`; null for any other code. */
function choiceOf(node: SyntaxNode): Choice | null {
  if (node.type !== 'BinaryExpression' || !['===', '!=='].includes(String(node.operator))) return null;
  const left = node.left as SyntaxNode;
  const right = node.right as SyntaxNode;
  if (left.type !== 'MemberExpression' || !/^(String|Numeric|Boolean|Null)Literal$/.test(right.type))
    return null;
  if (!isPolicy(left.object as SyntaxNode)) return null;
  const { name } = left.property as SyntaxNode;
  if (typeof name !== 'string' || !(name in documentedPolicy)) return null;
  return {
    member: name as keyof Policy,
    value: right.type === 'NullLiteral' ? null : right.value,
    equal: node.operator === '===',
  };
}

/** `policy`, or a member `policy` of something. */
function isPolicy(node: SyntaxNode): boolean {
  if (node.type === 'Identifier') return node.name === 'policy';
  return node.type === 'MemberExpression' && (node.property as SyntaxNode).name === 'policy';
}

/** Whether a node is what follows from a choice that no conforming deployment makes. */
function isBehindMistake(node: SyntaxNode, parent: SyntaxNode): boolean {
  const follows =
    (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') && parent.consequent === node;
  const narrows = parent.type === 'LogicalExpression' && parent.operator === '&&' && parent.right === node;
  const test = follows ? parent.test : narrows ? parent.left : null;
  return (
    test !== null &&
    choicesIn(test as SyntaxNode).some(({ member, value, equal }) => equal && !isConforming(member, value))
  );
}

/** The choices of which all must hold. */
function choicesIn(test: SyntaxNode): readonly Choice[] {
  if (test.type === 'LogicalExpression' && test.operator === '&&')
    return [test.left, test.right].flatMap((side) => choicesIn(side as SyntaxNode));
  const choice = choiceOf(test);
  return choice ? [choice] : [];
}

/** Whether the documented policy or a dialect has this value. */
function isConforming(member: keyof Policy, value: unknown): boolean {
  const patches = dialectPoints.flatMap(({ variants }) => Object.values(variants));
  return [documentedPolicy, ...patches].some((policy) => policy[member] === value);
}
