import type { Clock } from '../core/clock.ts';
import type { Admission } from '../receive/inbox.ts';
import type { Transport } from '../send/transport.ts';

type Send = Transport['send'];

/** Decides by the path of a delivery what becomes of it, as the inbox does. */
type Admit = (target: string) => Admission;

/** Sets a state of the deployment, as the client of the state handler does. */
type SetState<Params, Answer> = (state: string, params: Params) => Promise<Answer>;

/** What stands between the harness and a deployment: each part wraps what it is given, and changes what travels. */
export interface Wire {
  readonly send?: (inner: Send) => Send;
  readonly admit?: (inner: Admit) => Admit;
  readonly set?: <Params, Answer>(inner: SetState<Params, Answer>) => SetState<Params, Answer>;
  /** The deployment's own time, where the deployment is ours. */
  readonly clock?: (inner: Clock) => Clock;
}

/** A wire that changes nothing. */
export const plainWire: Wire = {};

/** Several wires as one; the first is the nearest to the harness. */
export function joinedWires(wires: readonly Wire[]): Wire {
  return {
    send: (inner) => wires.reduceRight((send, wire) => wire.send?.(send) ?? send, inner),
    admit: (inner) => wires.reduceRight((admit, wire) => wire.admit?.(admit) ?? admit, inner),
    set: (inner) => wires.reduceRight((set, wire) => wire.set?.(set) ?? set, inner),
    clock: (inner) => wires.reduceRight((clock, wire) => wire.clock?.(clock) ?? clock, inner),
  };
}
