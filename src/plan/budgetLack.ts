/** What a check needs of a budget that does not have enough left. */
interface BudgetLack {
  readonly takes: number;
  /** What the budget counts, in the plural. */
  readonly name: string;
  readonly budget: number;
  readonly left: number;
}

/** Says why a check is left out. */
export function budgetLackText({ takes, name, budget, left }: BudgetLack): string {
  return `takes ${takes} ${takes === 1 ? singular(name) : name}, but the budget of ${budget} has ${left === 0 ? 'none' : `only ${left}`} left`;
}

/** What would be enough for a check that is left out, and for all: options with their values. */
export function budgetHint(enough: readonly string[], forAll: readonly string[]): string {
  return `${enough.join(' and ')} would be enough for it, ${forAll.join(' and ')} for all checks${reserve}`;
}

const reserve = ': a quarter, at least 1, is reserved for confirming failures.';

/** What the reason and the hint of such a check have in common with those of others; null for any other reason. */
export function withoutCheck(reason: string): string | null {
  const forAll = /would be enough for it, (.*) for all checks/.exec(reason)?.[1];
  const budgets = [...reason.matchAll(lack)].map(([, name = '', most = '']) => `${most} ${plural(name)}`);
  if (budgets.length === 0 || forAll === undefined) return null;
  return `beyond the budget of ${budgets.join(' and ')}. ${forAll} would be enough for all checks${reserve}`;
}

const lack =
  /takes \d{1,9} (requests?|quota units?|subscriptions?), but the budget of (\d{1,9}) has (?:only|none)/g;

/** The budgets that such a reason names, as `request 400`; none for any other reason. */
export function lackingBudgets(reason: string): readonly string[] {
  return [...reason.matchAll(lack)].map(([, name = '', budget = '']) => `${singular(name)} ${budget}`);
}

function plural(name: string): string {
  return `${singular(name)}s`;
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
