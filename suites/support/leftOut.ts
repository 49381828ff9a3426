import {
  type CheckContext,
  type JsonObject,
  type OwnRecord,
  isAccepted,
  isObject,
  lacksSomething,
  without,
} from '../checks.ts';
import { judgeUpdated } from './checkin.ts';
import { replacePassengers } from './passengerUpdates.ts';

/**
 * Leaves out the email of the only passenger of a complete record, then a member of the passport. Each is then missing, or was
 * kept from before: null instead of it shows whether it is needed at all, which is another rule.
 */
export async function judgeLeftOut(t: CheckContext, record: OwnRecord, complete: JsonObject): Promise<void> {
  const passport = isObject(complete.passport) ? complete.passport : {};
  const member = 'expiry_date';
  const rows = [
    { left: without(complete, 'email'), none: { ...complete, email: null } },
    {
      left: { ...complete, passport: without(passport, member) },
      none: { ...complete, passport: { ...passport, [member]: null } },
    },
  ];
  for (const { left, none } of rows) {
    const answer = await replacePassengers(t, record, [left]);
    if (!isAccepted(answer)) return;
    const lost = await judgeUpdated(t, answer, lacksSomething);
    if (lost.judgement.status === 'violated') {
      const cleared = await judgeUpdated(t, await replacePassengers(t, record, [none]), lacksSomething);
      if (cleared.judgement.status !== 'holds') return;
    }
    t.judge(lost.evidence, { 'WCI-UPD-027': lost.judgement });
  }
}
