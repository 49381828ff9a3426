import type { Delivery, Exchange } from '../../core/evidence.ts';
import type { Json } from '../kernel/body.ts';
import { holds, violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { sampleOf, type Sample } from '../kernel/sample.ts';
import { shownRecords } from '../webcheckin/records.ts';
import * as is from '../../spec/kernel/value.ts';
import { eventOf } from '../../spec/world/webhookEvent.ts';

const [shown, pushed] = ['WCI-STS-011', 'WCI-CB-011'] as const;

/** Prefix of the boarding passes that a load gives to a record by the state handler; the id of the record follows. */
const mark = '/gatecheck/boarding-pass/';

/** The address of the boarding pass of one record alone. */
export function passOf(checkinId: string): string {
  return `https://example.com${mark}${encodeURIComponent(checkinId)}`;
}

/** No record shows the boarding pass of another one: each that a load gave names its record. */
export const ownPasses: Oracle = {
  id: 'own-passes',
  title: 'A record shows and pushes its own boarding passes, and none of another record',
  verifies: [shown, pushed],
  createWatch: () => ({ exchange: judgeExchange, delivery: judgeDelivery }),
};

function judgeExchange(exchange: Exchange): readonly Sample[] {
  return shownRecords(exchange).flatMap(({ record }) =>
    judge(shown, record.checkin_id, record.boarding_passes),
  );
}

function judgeDelivery(delivery: Delivery): readonly Sample[] {
  const event = eventOf(delivery);
  return event ? judge(pushed, event.checkinId ?? undefined, event.changes.boarding_passes) : [];
}

function judge(requirement: string, id: Json | undefined, passes: Json | undefined): readonly Sample[] {
  if (typeof id !== 'string' || !Array.isArray(passes)) return [];
  const given = passes.filter((one): one is string => typeof one === 'string' && one.includes(mark));
  if (given.length === 0) return [];
  const own = passOf(id);
  const foreign = given.find((one) => !isOf(one, own));
  if (foreign === undefined) return [sampleOf(requirement, holds)];
  return [
    sampleOf(
      requirement,
      violated('foreign-pass', {
        at: 'boarding_passes',
        want: is.value([own]),
        got: is.value([foreign]),
      }),
    ),
  ];
}

/** A deployment may sign it anew for each answer, by a query. */
function isOf(pass: string, own: string): boolean {
  return pass === own || pass.startsWith(`${own}?`) || pass.startsWith(`${own}#`);
}
