import { checkinOperations } from '../../../core/operations.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { z } from 'zod';
import { bareObjectOf } from '../../kernel/body.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { ofRecords } from '../records.ts';
import { rule } from '../../kernel/rule.ts';
import type { Sample } from '../../kernel/sample.ts';

/** Present with any value: its type has a rule of its own. */
const present = z.unknown().refine((value) => value !== undefined, 'present');
const text = z.string();

/** `boarding_passes` is not required: before completion it may be absent, and after it another rule requires it. */
const record = {
  checkin_id: present,
  booking_id: present,
  status: present,
  sub_status: text,
  checkin_message: present,
  missing_info: present,
  last_updated: present,
};

const rules = {
  status: rule('WCI-STS-005', z.object(record)),
  update: rule('WCI-UPD-032', z.object(record)),
  list: rule(
    'WCI-LST-018',
    z.object({
      ...record,
      pnr: text.nullable(),
      origin: text,
      destination: text,
      airline: text,
      flight_number: text,
      scheduled_time: present,
      created_at: present,
    }),
  ),
};

/** Every record has the members that are documented for the operation that shows it. */
export const recordShape: Oracle = {
  id: 'record-shape',
  title: 'A record has all members that are documented for the operation that shows it',
  verifies: Object.values(rules).map(({ requirement }) => requirement),
  operations: checkinOperations,
  answers: 'accepted',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  return ofRecords(exchange, ({ by, at, record: shown }, samples) => {
    // What is no object at all breaks another rule.
    const wanted = by === 'status' ? bareObjectOf(exchange) : shown;
    if (by !== 'subscribe' && wanted !== null) samples.push(rules[by].judge(wanted, at));
  });
}
