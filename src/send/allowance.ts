import { exitCodes, GatecheckError } from '../core/errors.ts';

/** Most that a run may spend. */
export interface AllowanceLimits {
  readonly maxRequests: number;
  readonly maxQuota: number;
  readonly maxSubscriptions: number;
}

/** A unit that is reserved before a request is sent, until it is known whether it was spent. */
export interface Reservation {
  spend(): void;
  release(): void;
}

const options = {
  requests: '--max-requests',
  'quota units': '--max-quota',
  subscriptions: '--max-subscriptions',
} as const;

type Budget = keyof typeof options;

/** Thrown if a request would exceed a hard budget. It was not sent. */
export class BudgetExhausted extends GatecheckError {
  readonly budget: Budget;
  /** Nothing was granted at all: whatever needs it is left out of the run, not cut short. */
  readonly isUngranted: boolean;
  /** Units were counted that no plan could foresee: whatever needs one is left out as well. */
  readonly isUnplanned: boolean;

  constructor(budget: Budget, limit: number, unproven = 0) {
    super(
      'BUDGET_EXHAUSTED',
      limit > 0
        ? `the budget of ${limit} ${budget} is used up${unproven > 0 ? unprovenText(unproven) : ''} (${options[budget]} grants more)`
        : `a request might take one of the ${budget}, and none are granted (${options[budget]} grants some)`,
      { exitCode: exitCodes.inconclusive },
    );
    this.name = 'BudgetExhausted';
    this.budget = budget;
    this.isUngranted = limit <= 0;
    this.isUnplanned = limit > 0 && unproven > 0;
  }
}

function unprovenText(units: number): string {
  return `, ${units} of them for repeated subscribes, which may take a unit each and show no quota that proves otherwise`;
}

/** For requests that can neither cost a unit nor leave a subscription behind. */
export const noReservation: Reservation = { spend: () => undefined, release: () => undefined };

/** Counts what was spent and refuses to exceed it: always before a request, never after the fact. */
export class Allowance {
  readonly limits: AllowanceLimits;
  readonly #quota: Units;
  readonly #subscriptions: Units;
  #requests = 0;

  constructor(limits: AllowanceLimits) {
    this.limits = limits;
    this.#quota = new Units('quota units', limits.maxQuota);
    this.#subscriptions = new Units('subscriptions', limits.maxSubscriptions);
  }

  get spent(): { readonly requests: number; readonly quota: number; readonly subscriptions: number } {
    return { requests: this.#requests, quota: this.#quota.spent, subscriptions: this.#subscriptions.spent };
  }

  /** Requests that may still be sent. */
  get requestsLeft(): number {
    return this.limits.maxRequests - this.#requests;
  }

  takeRequest(): void {
    if (this.requestsLeft <= 0) throw new BudgetExhausted('requests', this.limits.maxRequests);
    this.#requests += 1;
  }

  /** Gives back units that were counted as spent but turned out not to be. */
  refundQuota(units: number): void {
    this.#quota.refund(units);
  }

  /** `unproven` returns how many of the spent units may not have been spent. */
  reserveQuota(unproven: () => number = () => 0): Promise<Reservation> {
    return this.#quota.reserve(unproven);
  }

  reserveSubscription(): Promise<Reservation> {
    return this.#subscriptions.reserve(() => 0);
  }
}

/** Units of one kind: spent and reserved units together never exceed the limit. */
class Units {
  readonly #name: Budget;
  readonly #limit: number;
  #spent = 0;
  #open = 0;
  #waiting: (() => void)[] = [];

  constructor(name: Budget, limit: number) {
    this.#name = name;
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  refund(units: number): void {
    this.#spent -= Math.min(units, this.#spent);
    this.#wake();
  }

  async reserve(unproven: () => number): Promise<Reservation> {
    // A reserved unit may come back: only units spent for good exhaust the budget.
    while (this.#spent + this.#open >= this.#limit) {
      if (this.#spent >= this.#limit) throw new BudgetExhausted(this.#name, this.#limit, unproven());
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#open += 1;
    let open = true;
    const settle = (spent: number) => () => {
      if (!open) return;
      open = false;
      this.#open -= 1;
      this.#spent += spent;
      this.#wake();
    };
    return { spend: settle(1), release: settle(0) };
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
