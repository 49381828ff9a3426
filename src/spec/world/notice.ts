import type { Delivery } from '../../core/evidence.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { legPaths } from '../grammar/legSnapshot.ts';
import { valueAt } from '../rules/legMembers.ts';

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

/** What notifications may report: the members of a snapshot one by one, and alternateInfo as a whole. */
export const toldPaths: readonly string[] = [...legPaths, 'alternateInfo'];

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
