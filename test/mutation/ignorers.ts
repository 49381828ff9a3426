import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';
import { dialectPoints } from '../../src/reference/dialects.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';
import { payloadRules, type PayloadRule } from '../../src/reference/webcheckin/payloadRules.ts';

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
 * Code that makes no difference among conforming deployments. Tests of a policy member, against a value or as a flag: where
 * the value is that of a conforming deployment, a mutant has another conforming one; where it is that of a seeded mistake, no
 * conforming deployment runs the code behind it. Rules that only a mistake enforces, the place of a rule, which only
 * mistakes look at, and hooks that do nothing.
 */
export const policyIgnorer: Ignorer = {
  shouldIgnore: (path) => {
    const { node, parent } = path as unknown as SyntaxPath;
    if (choiceOf(node) || isVariantName(node, parent)) return 'chooses among the variants of the policy';
    if (isMistaken(node) || (parent && isBehindMistake(node, parent))) return mistakeOnly;
    if (isRuleOfMistake(node) || isIdleHook(node)) return mistakeOnly;
    if (parent && (isPlace(node, parent) || isRuleName(node, parent))) return mistakeOnly;
    return undefined;
  },
};

const mistakeOnly = 'runs or counts with a seeded mistake only';

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

/** What asks the policy: `policy.member === value` or `!==`, `policy.flag` or `!policy.flag`; null for any other code. */
function choiceOf(node: SyntaxNode): Choice | null {
  if (node.type === 'BinaryExpression') return comparisonOf(node);
  const isDenied = node.type === 'UnaryExpression' && node.operator === '!';
  const member = flagOf(isDenied ? (node.argument as SyntaxNode) : node);
  return member && { member, value: true, equal: !isDenied };
}

function comparisonOf({ operator, left, right }: SyntaxNode): Choice | null {
  const { type, value } = right as SyntaxNode;
  const member = memberOf(left as SyntaxNode);
  if (!['===', '!=='].includes(String(operator)) || member === null) return null;
  if (!/^(String|Numeric|Boolean|Null)Literal$/.test(type)) return null;
  return { member, value: type === 'NullLiteral' ? null : value, equal: operator === '===' };
}

/** A member of the policy that is true or false; also a call of one that answers the same whatever it is asked. */
function flagOf(node: SyntaxNode): keyof Policy | null {
  const isCall = node.type === 'CallExpression';
  const member = memberOf(isCall ? (node.callee as SyntaxNode) : node);
  if (member === null) return null;
  const given = conformingPolicies.map((policy) => policy[member]).filter((one) => one !== undefined);
  const isFlag = (one: unknown) => (isCall ? constantOf(one) !== null : typeof one === 'boolean');
  return given.every(isFlag) ? member : null;
}

function memberOf(node: SyntaxNode): keyof Policy | null {
  if (node.type !== 'MemberExpression' || !isPolicy(node.object as SyntaxNode)) return null;
  const { name } = node.property as SyntaxNode;
  return typeof name === 'string' && name in documentedPolicy ? (name as keyof Policy) : null;
}

/** What a function without parameters always says, if that is true or false. */
function constantOf(hook: unknown): boolean | null {
  const [, word] = /^\(\) => (true|false)$/.exec(typeof hook === 'function' ? hook.toString() : '') ?? [];
  return word === undefined ? null : word === 'true';
}

/** `policy`, or a member `policy` of something. */
function isPolicy(node: SyntaxNode): boolean {
  if (node.type === 'Identifier') return node.name === 'policy';
  return node.type === 'MemberExpression' && (node.property as SyntaxNode).name === 'policy';
}

/** Whether a node is what follows from a choice that no conforming deployment makes. */
function isBehindMistake(node: SyntaxNode, parent: SyntaxNode): boolean {
  const follows = parent.type === 'IfStatement' || parent.type === 'ConditionalExpression';
  return follows && parent.consequent === node && choicesIn(parent.test as SyntaxNode).some(isNeverMade);
}

/** Whether an expression holds with a seeded mistake only. */
function isMistaken(node: SyntaxNode): boolean {
  return node.type === 'LogicalExpression' && choicesIn(node).some(isNeverMade);
}

function isNeverMade({ member, value, equal }: Choice): boolean {
  const given = conformingPolicies.map((policy) => policy[member]).filter((one) => one !== undefined);
  return !given.some((one) => ((constantOf(one) ?? one) === value) === equal);
}

/** `member: 'name'` of the documented policy, where the name is that of a variant and never on the wire. */
function isVariantName(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (node.type !== 'StringLiteral' || parent?.type !== 'ObjectProperty' || parent.value !== node)
    return false;
  const { name } = parent.key as SyntaxNode;
  const { value } = node;
  return /^[a-z-]+$/.test(String(value)) && valueOf(documentedPolicy, String(name)) === value;
}

/** `inspection.require(…, 'rule', …)` of a rule that no conforming deployment has. */
function isRuleOfMistake(node: SyntaxNode): boolean {
  if (node.type === 'ExpressionStatement') return isRuleOfMistake(node.expression as SyntaxNode);
  const rule = node.type === 'CallExpression' ? argumentsOf(node)[1] : undefined;
  if (rule?.type !== 'StringLiteral' || !Object.hasOwn(payloadRules, String(rule.value))) return false;
  const place = {
    operation: 'subscribe',
    multipart: false,
    index: 0,
    passenger: 0,
    field: '',
    nested: false,
    value: undefined,
  } as const;
  return !conformingPolicies.some((policy) => policy.enforces?.(rule.value as PayloadRule, place));
}

/** Where a rule is applied. */
function isPlace(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type !== 'CallExpression' || calledMember(parent) !== 'require') return false;
  return argumentsOf(parent).indexOf(node) === 3;
}

/** The name of a rule of flight alerts: conforming deployments enforce all of them, by whatever name. */
function isRuleName(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (parent.type !== 'CallExpression' || (parent.callee as SyntaxNode).name !== 'demand') return false;
  return argumentsOf(parent)[1] === node;
}

/** A call of a policy member that does nothing in every conforming deployment. */
function isIdleHook(node: SyntaxNode): boolean {
  if (node.type !== 'ExpressionStatement') return false;
  const call = node.expression as SyntaxNode;
  const name = call.type === 'CallExpression' ? calledMember(call) : null;
  if (name === null || !isPolicy((call.callee as SyntaxNode).object as SyntaxNode)) return false;
  return conformingPolicies
    .map((policy) => valueOf(policy, name))
    .every(
      (hook) => hook === undefined || (typeof hook === 'function' && hook.toString() === '() => undefined'),
    );
}

function calledMember({ callee }: SyntaxNode): string | null {
  const { type, property } = callee as SyntaxNode;
  return type === 'MemberExpression' ? String((property as SyntaxNode).name) : null;
}

function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  return call.arguments as readonly SyntaxNode[];
}

function valueOf(policy: Partial<Policy>, member: string): unknown {
  return (policy as Readonly<Record<string, unknown>>)[member];
}

/** The choices of which all must hold. */
function choicesIn(test: SyntaxNode): readonly Choice[] {
  if (test.type === 'LogicalExpression' && test.operator === '&&')
    return [test.left, test.right].flatMap((side) => choicesIn(side as SyntaxNode));
  const choice = choiceOf(test);
  return choice ? [choice] : [];
}

/** What the documented policy and the dialects put into the points of the policy. */
const conformingPolicies: readonly Partial<Policy>[] = [
  documentedPolicy,
  ...dialectPoints.flatMap(({ variants }) => Object.values(variants)),
];
