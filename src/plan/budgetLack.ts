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

const lack =
  /takes \d{1,9} (requests?|quota units?|subscriptions?), but the budget of (\d{1,9}) has (?:only|none)/g;

/** The budgets that such a reason names, as `request 400`; none for any other reason. */
export function lackingBudgets(reason: string): readonly string[] {
  return [...reason.matchAll(lack)].map(([, name = '', budget = '']) => `${singular(name)} ${budget}`);
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}
