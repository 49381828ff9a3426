import { randomUUID } from 'node:crypto';
import type { Hook, Leg, Members } from './payload.ts';
import type { Manners } from './manners.ts';
import { Deliveries } from './deliveries.ts';

export interface Enterprise {
  readonly name: string;
  entitlement: 'active' | 'suspended' | 'none';
  included: number;
  consumed: number;
}

export interface CheckIn {
  readonly id: string;
  readonly booking: number;
  readonly owner: Enterprise;
  readonly legs: readonly Leg[];
  readonly hook: Hook | null;
  readonly created: number;
  pnr: unknown;
  passengers: readonly Members[];
  status: string;
  detail: string;
  message: string;
  missing: readonly Members[];
  passes: readonly string[];
  updated: number;
}

export interface Watch {
  readonly owner: Enterprise;
  readonly leg: string;
  hook: { readonly fid: string; readonly url: string; readonly key: string } | null;
}

/** All that the server knows. */
export class Books {
  readonly manners: Manners;
  readonly deliveries: Deliveries;
  readonly keys = new Map<string, Enterprise>();
  readonly checkIns: CheckIn[] = [];
  readonly watches: Watch[] = [];
  /** Legs of a flight and date that upstream was told. */
  readonly flights = new Map<string, Members[]>();
  readonly resumesToReject = new Set<string>();
  upstreamFails: unknown = null;
  #booking = 4_000_000;

  constructor(manners: Manners) {
    this.manners = manners;
    this.deliveries = new Deliveries(manners.queueMs);
  }

  enterprise(name: string, keys: readonly string[], included: number): Enterprise {
    const made: Enterprise = { name, entitlement: 'active', included, consumed: 0 };
    for (const key of keys) this.keys.set(key, made);
    return made;
  }

  newKeys(count: number): readonly string[] {
    return Array.from({ length: count }, () => `issued-${randomUUID()}`);
  }

  nextBooking(): number {
    return (this.#booking += 17);
  }
}
