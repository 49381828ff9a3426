import type { Decision } from './decision.ts';

/** What one budget belongs to. In the documents: a key. */
export type LimiterScope = 'key' | 'enterprise' | 'address' | 'api' | 'route' | 'connection';

/** What it takes to distinguish a scope from the documented one. */
export const neededFor: Readonly<Record<Exclude<LimiterScope, 'key'>, string>> = {
  enterprise: 'a second key of the enterprise',
  address: 'a key of another enterprise',
  api: 'successful requests to both APIs',
  route: 'successful requests to several operations',
  connection: 'connections that can be distinguished',
};

/** The timeline of each budget. */
export function budgetsByScope(
  decisions: readonly Decision[],
  scope: LimiterScope,
): readonly (readonly Decision[])[] {
  const budgets = new Map<string, Decision[]>();
  for (const decision of decisions) {
    const name = nameOf(decision, scope);
    const members = budgets.get(name);
    if (members) members.push(decision);
    else budgets.set(name, [decision]);
  }
  return [...budgets.values()];
}

/** Whether the timeline can distinguish a scope from the documented one, that is, whether the two group the requests differently. */
export function isTried(decisions: readonly Decision[], scope: LimiterScope): boolean {
  const byKey = budgetsByScope(decisions, 'key').length;
  const byScope = budgetsByScope(decisions, scope).length;
  if (scope === 'address') return byScope < budgetsByScope(decisions, 'enterprise').length;
  if (scope === 'route' && byScope === budgetsByScope(decisions, 'api').length) return false;
  return byKey !== byScope;
}

function nameOf({ key, enterprise, address, api, route, connection }: Decision, scope: LimiterScope): string {
  switch (scope) {
    case 'key':
      return key ?? '';
    case 'enterprise':
      return enterprise ?? '';
    case 'address':
      return address ?? '';
    case 'api':
      return `${key ?? ''} ${api ?? ''}`;
    case 'route':
      return `${key ?? ''} ${route ?? ''}`;
    case 'connection':
      return `${key ?? ''} ${connection ?? ''}`;
  }
}
