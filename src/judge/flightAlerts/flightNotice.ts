import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../core/evidence.ts';
import { isObject, type Json, type JsonObject } from '../kernel/body.ts';
import { snapshotPaths, valueAt } from './legSnapshot.ts';
import { holds, violated, type Judgement } from '../kernel/judgement.ts';
import { describeValue } from '../kernel/rule.ts';
import { deliveredObject } from '../../trace/delivered.ts';

/** A flight change notification as it was delivered (Flight Alerts, Events); nothing in it is trusted. */
export interface FlightNotice {
  readonly delivery: Delivery;
  readonly fid: Json | undefined;
  readonly changes: JsonObject;
}

/** The notification of a delivery, read as leniently as possible; null where it has no `changes` to read. */
export function noticeOf(delivery: Delivery): FlightNotice | null {
  const body = deliveredObject(delivery);
  return body && isObject(body.changes) ? { delivery, fid: body.fid, changes: body.changes } : null;
}

/** Those of the deliveries that can be read. */
export function noticesOf(deliveries: readonly Delivery[]): readonly FlightNotice[] {
  return deliveries.flatMap((delivery) => noticeOf(delivery) ?? []);
}

/** The containers of a snapshot whose members are reported one by one. */
export const containers = ['stopover', 'airline', 'departure', 'arrival'] as const;

/** What notifications may report: the members of a snapshot one by one, and alternateInfo as a whole. */
export const toldPaths: readonly string[] = [...snapshotPaths, 'alternateInfo'];

/**
 * The value that `changes` reports at a path; undefined if there is none. A flat member counts as the nested one, since
 * nesting is a rule of its own, and a stopover of null for one without values (FLA-OPN-029).
 */
export function toldAt(changes: JsonObject, path: string): Json | undefined {
  if (changes[path] !== undefined) return changes[path];
  if (path.startsWith('stopover.') && changes.stopover === null) return null;
  return valueAt(changes, path);
}

/** The paths at which `changes` has a value. */
export function toldIn(changes: JsonObject): readonly string[] {
  return toldPaths.filter((path) => toldAt(changes, path) !== undefined);
}

/** Whether two notifications report the same: a duplicate or a repetition, or a change back and forth. */
export function tellTheSame(one: FlightNotice, other: FlightNotice): boolean {
  return isDeepStrictEqual(one.changes, other.changes);
}

/** Whether a fid is echoed exactly: by code points, without normalization. */
export function echoesFid(fid: unknown, registered: readonly string[]): Judgement {
  if (registered.some((one) => one === fid)) return holds;
  const code = typeof fid === 'string' ? 'altered' : 'type';
  return violated(code, `fid ${describeValue(registered[0])}`, `fid ${describeValue(fid)}`);
}

/** Whether a notification ignores an `auth_header` that was supplied against the rules. */
export function ignoresSupplied({ headers }: Delivery, supplied: readonly string[]): Judgement {
  const values = supplied.map((line) => line.slice(line.indexOf(':') + 1).trim());
  const used = headers.find(([, value]) => supplied.includes(value) || values.includes(value));
  if (!used) return holds;
  const wanted = 'a key of the service, whatever auth_header was supplied';
  return violated('used', wanted, `the supplied auth_header in header ${used[0]}`);
}
