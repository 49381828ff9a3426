import * as is from '../../../spec/kernel/value.ts';
import { checkinOperations } from '../../../core/operations.ts';
import type { Exchange } from '../../../core/evidence.ts';
import type { Json } from '../../kernel/body.ts';
import { holds, differs, type Judgement } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { ofRecords, place, type ShownRecord } from '../records.ts';
import { describeValue } from '../../kernel/rule.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';

/** Lifecycle timestamps, wherever a record is shown. */
export const timestamps: Oracle = {
  id: 'timestamps',
  title: 'Lifecycle timestamps are UTC with milliseconds, and check-in is scheduled at a time of the booking',
  verifies: ['WCI-DT-026', 'WCI-LST-026', 'WCI-LST-030'],
  operations: checkinOperations,
  answers: 'accepted',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  return ofRecords(exchange, judgeRecord);
}

function judgeRecord(shown: ShownRecord, samples: Sample[]): void {
  add(samples, judgeForm(shown, 'created_at', shown.by === 'list'));
  add(samples, judgeForm(shown, 'last_updated', shown.by !== 'subscribe'));
  add(samples, judgeForm(shown, 'scheduled_time', false));
  const scheduled = parseTimestamp(shown.record.scheduled_time);
  if (scheduled === null) return;
  add(samples, judgeOrder(shown, scheduled));
  add(samples, judgeAge(shown, scheduled));
}

function add(samples: Sample[], sample: Sample | null): void {
  if (sample !== null) samples.push(sample);
}

/** If a member is not documented, only a text counts as a timestamp. */
function judgeForm(shown: ShownRecord, member: string, isDocumented: boolean): Sample | null {
  const value = shown.record[member];
  if (value === undefined || (value === null && !isDocumented)) return null;
  if (typeof value !== 'string' && !isDocumented && shown.by !== 'list') return null;
  if (parseTimestamp(value) !== null) return sampleOf('WCI-DT-026', holds);
  const want = is.pattern(is.timestampForm);
  return sampleOf('WCI-DT-026', differs(member, place(shown, member), want, is.value(value)));
}

const hour = 3_600_000;
/** No airport is further behind UTC than this, so a departure read as UTC is at most this much too early. */
const furthestBehind = 12 * hour;

function judgeOrder(shown: ShownRecord, scheduled: number): Sample | null {
  const departure = latestInstant(shown.record.departure_datetime ?? shown.record.departure_date);
  if (departure === null) return null;
  if (scheduled <= departure) return sampleOf('WCI-LST-026', holds);
  const want = is.pattern('a time that is not after the departure in any timezone');
  return sampleOf('WCI-LST-026', scheduledOtherwise('order', want, shown));
}

/** No check-in window is this long: such a value is a zero, where the document has null. */
const longBefore = 366 * 24 * hour;

function judgeAge(shown: ShownRecord, scheduled: number): Sample | null {
  const created = parseTimestamp(shown.record.created_at);
  if (created === null) return null;
  if (scheduled > created - longBefore) return sampleOf('WCI-LST-030', holds);
  const since = describeValue(shown.record.created_at);
  const want = is.pattern(`null, or a time less than a year before created_at, ${since}`);
  return sampleOf('WCI-LST-030', scheduledOtherwise('age', want, shown));
}

function scheduledOtherwise(code: string, want: is.Value, shown: ShownRecord): Judgement {
  return differs(code, place(shown, 'scheduled_time'), want, is.value(shown.record.scheduled_time));
}

/** The latest instant that a wall clock of unknown zone can mean; a date alone may mean any time of that day. */
function latestInstant(clock: Json | undefined): number | null {
  const match = typeof clock === 'string' ? /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(clock) : null;
  if (!match) return null;
  const instant = parseTimestamp(`${match[1] ?? ''}T${match[2] ?? '23:59'}:59.999Z`);
  return instant === null ? null : instant + furthestBehind;
}
