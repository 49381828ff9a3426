import { checkinOperations } from '../../../core/operations.ts';
import type { Exchange } from '../../../core/evidence.ts';
import type { Json, JsonObject } from '../../kernel/body.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { ofRecords, place, type ShownRecord } from '../records.ts';
import { describeValue } from '../../kernel/rule.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { checkinStatuses } from '../../../spec/grammar/listQuery.ts';

/** Whether status, sub_status, missing_info and boarding_passes agree, wherever a record is shown. */
export const recordStates: Oracle = {
  id: 'record-states',
  title: 'status, sub_status, missing_info and boarding_passes of a record fit together',
  verifies: [
    'WCI-SUB-013',
    'WCI-SUB-022',
    'WCI-SUB-023',
    'WCI-SUB-062',
    'WCI-STS-012',
    'WCI-STS-014',
    'WCI-STS-015',
    'WCI-STS-016',
    'WCI-STS-017',
    'WCI-STS-018',
    'WCI-RDY-017',
    'WCI-RDY-019',
  ],
  operations: checkinOperations,
  answers: 'accepted',
  createWatch: () => ({ exchange: judgeExchange }),
};

function judgeExchange(exchange: Exchange): readonly Sample[] {
  return ofRecords(exchange, judgeRecord);
}

function judgeRecord(shown: ShownRecord, samples: Sample[]): void {
  judgeTypes(shown, samples);
  judgeReadiness(shown, samples);
  judgeBoardingPasses(shown, samples);
}

/** An absent member belongs to the rule on the operation's members; the subscribe has no such rule for these. */
function judgeTypes(shown: ShownRecord, samples: Sample[]): void {
  const { status, missing_info, checkin_message, checkin_id, booking_id } = shown.untyped;
  const isSubscribe = shown.by === 'subscribe';
  if (status !== undefined || isSubscribe) {
    const isKnown = (checkinStatuses as readonly unknown[]).includes(status);
    samples.push(judge('WCI-SUB-022', isKnown, shown, 'status', `one of ${checkinStatuses.join(', ')}`));
  }
  if (missing_info !== undefined || isSubscribe) {
    samples.push(judge('WCI-STS-016', Array.isArray(missing_info), shown, 'missing_info', 'an array'));
  }
  if (checkin_message !== undefined && !isSubscribe) {
    samples.push(
      judge('WCI-STS-014', typeof checkin_message === 'string', shown, 'checkin_message', 'a string'),
    );
  }
  if (checkin_id !== undefined && typeof checkin_id !== 'string') {
    samples.push(judge('WCI-STS-017', false, shown, 'checkin_id', 'a string'));
  } else if (booking_id !== undefined) {
    samples.push(judge('WCI-STS-017', typeof booking_id === 'number', shown, 'booking_id', 'a number'));
  }
}

function judgeReadiness(shown: ShownRecord, samples: Sample[]): void {
  const { status, sub_status: sub, missing_info: missing } = shown.untyped;
  const isComplete = sub === 'COMPLETE_INFO';
  if (isComplete && isStatus(status)) {
    samples.push(
      judge('WCI-SUB-023', status === 'SCHEDULED', shown, 'status', 'SCHEDULED with COMPLETE_INFO'),
    );
  }
  if (!Array.isArray(missing)) return;
  const isEmpty = missing.length === 0;
  if (!isEmpty)
    samples.push(
      judge('WCI-STS-018', missing.every(saysSomething), shown, 'missing_info', 'items that are not empty'),
    );
  if (isComplete)
    samples.push(judge('WCI-RDY-017', isEmpty, shown, 'missing_info', 'empty with COMPLETE_INFO'));
  if (status !== 'SCHEDULED') return;
  if (isEmpty && typeof sub === 'string') {
    samples.push(
      judge('WCI-RDY-019', isComplete, shown, 'sub_status', 'COMPLETE_INFO where nothing is missing'),
    );
  }
  if (!isEmpty && shown.by === 'subscribe' && !isComplete) {
    const isNamed = typeof sub === 'string' && sub.trim() !== '';
    samples.push(judge('WCI-SUB-013', isNamed, shown, 'sub_status', 'a name for what is missing'));
  }
}

function judgeBoardingPasses(shown: ShownRecord, samples: Sample[]): void {
  const { status, sub_status: sub, boarding_passes: passes } = shown.untyped;
  if (passes !== undefined && passes !== null) {
    const expected = 'an array of HTTPS URLs';
    samples.push(judge('WCI-SUB-062', isUrlList(passes), shown, 'boarding_passes', expected));
  }
  if (sub !== 'BOARDING_PASS_AVAILABLE') return;
  if (isStatus(status)) {
    samples.push(judge('WCI-STS-012', status === 'COMPLETED', shown, 'status', `COMPLETED with ${sub}`));
  }
  if (shown.by !== 'subscribe' && (!passes || Array.isArray(passes))) {
    const isFilled = Array.isArray(passes) && passes.length > 0;
    samples.push(judge('WCI-STS-015', isFilled, shown, 'boarding_passes', `not empty with ${sub}`));
  }
}

function isStatus(status: unknown): status is string {
  return (checkinStatuses as readonly unknown[]).includes(status);
}

function isUrlList(passes: unknown): boolean {
  return (
    Array.isArray(passes) &&
    passes.every((pass) => typeof pass === 'string' && /^https:\/\/[^\s/?#]+\S*$/i.test(pass))
  );
}

/** The form of an item is not documented; an empty one says nothing. */
function saysSomething(item: Json): boolean {
  if (typeof item === 'string') return item.trim() !== '';
  return typeof item === 'object' && item !== null ? Object.keys(item).length > 0 : item !== null;
}

function judge(
  requirement: string,
  isKept: boolean,
  shown: ShownRecord,
  member: keyof JsonObject & string,
  expected: string,
): Sample {
  if (isKept) return sampleOf(requirement, holds);
  const where = place(shown, member);
  return sampleOf(
    requirement,
    violated(member, `${where} is ${expected}`, `${where} is ${describeValue(shown.record[member])}`),
  );
}
