import type { Decision } from './decision.ts';

/** What one budget is kept for. By the documents: a key. */
export type Scope = 'key' | 'enterprise' | 'address' | 'api' | 'route' | 'connection';

/** What it takes to tell a scope from the documented one. */
export const neededFor: Readonly<Record<Exclude<Scope, 'key'>, string>> = {
  enterprise: 'a second key of the enterprise',
  address: 'a key of another enterprise',
  api: 'successful requests to both APIs',
  route: 'successful requests to several operations',
  connection: 'connections that are told apart',
};

/** The timeline of each budget. */
export function budgetsOf(decisions: readonly Decision[], scope: Scope): readonly (readonly Decision[])[] {
  const budgets = new Map<string, Decision[]>();
  for (const decision of decisions) {
    const name = nameOf(decision, scope);
    const members = budgets.get(name);
    if (members) members.push(decision);
    else budgets.set(name, [decision]);
  }
  return [...budgets.values()];
}

/** Whether the timeline can tell a scope from the documented one: both group the requests differently. */
export function isTried(decisions: readonly Decision[], scope: Scope): boolean {
  const byKey = budgetsOf(decisions, 'key').length;
  const byScope = budgetsOf(decisions, scope).length;
  if (scope === 'address') return byScope < budgetsOf(decisions, 'enterprise').length;
  if (scope === 'route' && byScope === budgetsOf(decisions, 'api').length) return false;
  return byKey !== byScope;
}

function nameOf({ key, enterprise, address, api, route, connection }: Decision, scope: Scope): string {
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
