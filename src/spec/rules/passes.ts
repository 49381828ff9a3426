import type { Said } from '../kernel/findings.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import type { Booking } from '../world/booking.ts';
import { place, type Sight } from '../world/sights.ts';

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

/** What the state handler has completed shows as many passes as it gave, as they are; links to them may be made for each look. */
export function judgeCompleted(sight: Sight, { passes, status }: Booking, blame: Blame): void {
  const { record, by, exchange } = sight;
  if (passes === null || passes.length === 0 || (by !== 'status' && by !== 'alias' && by !== 'list')) return;
  if (record.status !== 'COMPLETED' || status.value !== 'COMPLETED') return;
  const shown = Array.isArray(record.boarding_passes) ? (record.boarding_passes as readonly unknown[]) : [];
  const isEscaped = shown.some((one) => String(one).includes('&amp;') && !passes.includes(String(one)));
  const arePasses = shown.length === passes.length && !isEscaped;
  if (arePasses && record.sub_status === available) {
    blame.show('WCI-STS-011');
    return;
  }
  const member = arePasses ? 'sub_status' : 'boarding_passes';
  blame.accuse(only('WCI-STS-011'), by, {
    ...{ code: `completed:${member}`, at: place(sight, member), got: is.value(record[member]) },
    ...{ want: is.value(arePasses ? available : passes), because: [exchange] },
  });
}

const available = 'BOARDING_PASS_AVAILABLE';
