import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';

/** Prefix of the boarding passes that a load gives to a record by the state handler; the id of the record follows. */
const mark = '/gatecheck/boarding-pass/';

/** The address of the boarding pass of one record alone. */
export function passOf(checkinId: string): string {
  return `https://example.com${mark}${encodeURIComponent(checkinId)}`;
}

/** No record shows the boarding pass of another one: each that a load gave names its record. */
export function judgePasses(rule: string, id: unknown, passes: unknown): readonly Said[] {
  if (typeof id !== 'string' || !Array.isArray(passes)) return [];
  const given = (passes as readonly unknown[]).flatMap((one) =>
    typeof one === 'string' && one.includes(mark) ? one : [],
  );
  if (given.length === 0) return [];
  const own = passOf(id);
  // A deployment may sign it anew for each answer, by a query.
  const foreign = given.find((one) => one.split(/[?#]/, 1)[0] !== own);
  if (foreign === undefined) return [[rule, null]];
  const [want, got] = [is.value([own]), is.value([foreign])];
  return [[rule, { code: 'foreign-pass', at: 'boarding_passes', want, got }]];
}
