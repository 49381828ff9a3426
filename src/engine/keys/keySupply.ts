import type { PlannedCheck } from '../../plan/plan.ts';
import type { SharedLimit } from '../../send/keyBudgets.ts';
import type { KeyRing, KeyRole, ApiKey } from '../../send/keyRing.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { EngineCheck } from '../suite.ts';

interface KeySupplyOptions {
  readonly keys: KeyRing;
  readonly state: StateHandler;
  /** Makes keys from values, and keeps them out of every report. */
  readonly adopt: (enterprise: string, values: readonly string[]) => readonly ApiKey[];
  /** Whether the deployment accepts a key. */
  readonly isTaken: (key: ApiKey) => Promise<boolean>;
  /** Requests that may still be sent right now with these keys. */
  readonly room: (keys: readonly ApiKey[]) => number;
  /** Who shares limits with the existing keys, so that further ones make no room. */
  readonly shared: () => readonly SharedLimit[];
  /** Requests a minute for each key. */
  readonly perMinute: number;
  readonly tell: (text: string) => void;
}

/** Most keys that are requested at once, and in total. */
const least = 4;
const most = { atOnce: 64, inAll: 512, enterprises: 200 };

/** More than planned: for confirming failures, and because requests for one particular key fill some keys first. */
const ample = 1.6;

/** Quota units of an enterprise that is made for the run, so many that they never run out. */
const units = 1_000_000;

/** Further keys of a run, from the state handler: requested when the existing ones have no room, and tried before use. */
export class KeySupply {
  readonly #options: KeySupplyOptions;
  readonly #broken = new Set<string>();
  readonly #asking = new Map<KeyRole, Promise<boolean>>();
  #issued = 0;
  #enterprises = 0;
  /** Planned requests that still need keys. */
  #planned = 0;

  constructor(options: KeySupplyOptions) {
    this.#options = options;
  }

  /** Whether there can be further keys for the run's enterprise. */
  canGrow(role: KeyRole): boolean {
    const mayIssue = this.#issued < most.inAll && this.#options.shared().length === 0;
    return mayIssue && this.#offers('keys.issue') && this.#knownKey(role) !== null;
  }

  /** Called before the first check: makes the keys that the plan needs beyond the given ones. */
  async prepare(planned: readonly PlannedCheck<EngineCheck>[]): Promise<void> {
    const { keys, room } = this.#options;
    this.#planned = planned.reduce((sum, one) => sum + requestsOfPool(one), 0);
    if (
      this.#planned * ample > room(keys.pool('primary')) ||
      (needs(planned, 'second-key') && keys.primary.length < 2)
    )
      await (this.canGrow('primary') ? this.more('primary') : this.#create('primary'));
    if (needs(planned, 'other-enterprise') && keys.other.length === 0) await this.#create('other');
  }

  /** Called before a check: makes a key with room for all of its requests, if possible. */
  async ensure(requests: number): Promise<void> {
    const { keys, room, perMinute } = this.#options;
    const wanted = Math.min(requests, perMinute);
    const isThere = keys.pool('primary').some((key) => room([key]) >= wanted);
    if (!isThere) await this.more('primary');
  }

  /** Whether another enterprise would make room, since only the keys of one share limits. */
  get canReplace(): boolean {
    const shared = this.#options.shared();
    const isOfEnterprise = shared.length > 0 && shared.every(({ scope }) => scope === 'enterprise');
    return isOfEnterprise && this.#enterprises < most.enterprises && this.#offers('enterprise.create');
  }

  /** Goes on with another enterprise; resolves to whether there is one. Only while no check is running. */
  replace(): Promise<boolean> {
    return this.#create('primary');
  }

  /** Requests further keys of an enterprise; resolves to whether there are any. */
  more(role: KeyRole): Promise<boolean> {
    let asking = this.#asking.get(role);
    if (!asking) {
      asking = this.#issue(role).finally(() => this.#asking.delete(role));
      this.#asking.set(role, asking);
    }
    return asking;
  }

  async #issue(role: KeyRole): Promise<boolean> {
    const known = this.#knownKey(role);
    if (known === null || !this.canGrow(role)) return false;
    const params = { key: known.value, count: this.#count(role) };
    return this.#add(role, { state: 'keys.issue', params, enterprise: known.enterprise });
  }

  /** Replaces the enterprise of the given keys by a new one; the given keys are only kept for the rules about keys. */
  async #create(role: KeyRole): Promise<boolean> {
    if (!this.#offers('enterprise.create')) return false;
    // No more can be added later; where they share a limit, more would be of no use.
    const wanted = this.canReplace ? least : Math.min(most.atOnce, 2 * this.#count(role));
    const params = { included_units: units, keys: wanted };
    this.#enterprises += 1;
    const enterprise = `${role} of this run, enterprise ${this.#enterprises}`;
    return this.#add(role, { state: 'enterprise.create', params, enterprise });
  }

  async #add(role: KeyRole, asked: Asked): Promise<boolean> {
    const { keys, adopt, isTaken, tell } = this.#options;
    try {
      const answer = await this.#options.state.set(asked.state, asked.params);
      const added = adopt(asked.enterprise, textsOf(answer.keys));
      const [first] = added;
      if (!first || !(await isTaken(first))) throw new Error('a key that it gave is not accepted');
      if (asked.state === 'enterprise.create') keys.replace(role, added);
      else keys.add(role, added);
      this.#issued += added.length;
      return true;
    } catch (error) {
      this.#broken.add(asked.state);
      const why = error instanceof Error ? error.message : String(error);
      tell(`No further keys from ${asked.state}: ${why}. The run continues with the keys that it has.`);
      return false;
    }
  }

  #offers(state: string): boolean {
    return this.#options.state.offers(state) && !this.#broken.has(state);
  }

  #knownKey(role: KeyRole): ApiKey | null {
    return this.#options.keys[role][0] ?? null;
  }

  /** As many keys as the plan needs to wait for no limit. */
  #count(role: KeyRole): number {
    if (role === 'other') return least;
    const wanted = Math.ceil((this.#planned * ample) / this.#options.perMinute) + 1;
    return Math.min(most.atOnce, Math.max(least, wanted));
  }
}

interface Asked {
  readonly state: 'keys.issue' | 'enterprise.create';
  readonly params: Readonly<Record<string, string | number>>;
  readonly enterprise: string;
}

/** How many requests of a check use keys of the run: checks that need an enterprise of their own, or fill windows, have their own. */
export function requestsOfPool({ check, cost }: PlannedCheck<EngineCheck>): number {
  return check.needs.some((need) => ownKeys.has(need)) ? 0 : cost.requests;
}

const ownKeys: ReadonlySet<string> = new Set(['state:enterprise.create', 'fillable-limits', 'real-time']);

function needs(planned: readonly PlannedCheck<EngineCheck>[], capability: string): boolean {
  return planned.some(({ check }) => check.needs.some((need) => need === capability));
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
