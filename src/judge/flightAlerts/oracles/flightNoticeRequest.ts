import type { Delivery } from '../../../core/evidence.ts';
import { bodyOf, isObject, type Json, type JsonObject } from '../../kernel/body.ts';
import { holds, type Judgement, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { watchFlightCallbacks } from '../flightRegistrations.ts';
import { judgeNesting } from '../noticeNesting.ts';
import { describeValue } from '../../kernel/rule.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { isUnsigned } from '../../kernel/callbackAddress.ts';
import { isSet } from './snapshotRules.ts';

/** What every flight change notification looks like (Flight Alerts, Events). */
export const flightNoticeRequest: Oracle = {
  id: 'flight-notice-request',
  title: 'every flight notification is a POST of JSON with fid and changes, unsigned',
  verifies: ['FLA-CB-002', 'FLA-CB-004', 'FLA-CB-005', 'FLA-CB-007', 'FLA-CB-022', 'FLA-CB-032'],
  createWatch: () => watchFlightCallbacks(judge),
};

function judge(delivery: Delivery): readonly Sample[] {
  const posted = sampleOf('FLA-CB-002', isPosted(delivery));
  // The sink did not read the whole of it.
  if (delivery.truncated) return [posted];
  const body = bodyOf(delivery);
  const object = body.kind === 'json' && isObject(body.value) ? body.value : null;
  const unsigned = sampleOf('FLA-CB-004', isUnsigned(delivery));
  if (!object) {
    const actual = body.kind === 'json' ? describeValue(body.value) : body.why;
    return [
      posted,
      unsigned,
      sampleOf('FLA-CB-005', violated('object', 'a JSON object with fid and changes', actual)),
    ];
  }
  const { changes } = object;
  return [
    posted,
    unsigned,
    sampleOf('FLA-CB-005', hasMembers(object)),
    ...(isObject(changes) ? judgeChanges(changes) : []),
  ];
}

function judgeChanges(changes: JsonObject): readonly Sample[] {
  return [
    sampleOf('FLA-CB-007', judgeNesting(changes)),
    sampleOf('FLA-CB-032', reportsSomething(changes)),
    ...judgeTimes(changes),
  ];
}

function reportsSomething(changes: JsonObject): Judgement {
  if (Object.keys(changes).length > 0) return holds;
  return violated('empty', 'a changed field in changes', 'changes {}');
}

function isPosted({ method, headers }: Delivery): Judgement {
  if (method !== 'POST') return violated('method', 'a POST', `a ${method}`);
  const types = headers.filter(([name]) => name.toLowerCase() === 'content-type').map(([, value]) => value);
  if (types.length > 0 && types.every((type) => /^\s*application\/json\s*(;|$)/i.test(type))) return holds;
  const actual = types.length === 0 ? 'no content type' : `content type ${types.join(', ')}`;
  return violated('content-type', 'content type application/json', actual);
}

function hasMembers({ fid, changes }: JsonObject): Judgement {
  if (typeof fid !== 'string') return violated('fid', 'fid as a string', `fid ${describeValue(fid)}`);
  if (isObject(changes)) return holds;
  return violated('changes', 'changes as an object', `changes ${describeValue(changes)}`);
}

/** A sample if any time is reported; null, blank and zero values are not times. */
function judgeTimes(changes: JsonObject): readonly Sample[] {
  const times = timesIn(changes, '');
  const [wrong] = times.filter(([, time]) => !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time));
  if (times.length === 0) return [];
  if (!wrong) return [sampleOf('FLA-CB-022', holds)];
  const [path, time] = wrong;
  const expected = `${path} as YYYY-MM-DD HH:mm:ss without offset`;
  return [sampleOf('FLA-CB-022', violated('form', expected, `${path} ${describeValue(time)}`))];
}

const clocks = ['scheduledTime', 'estimatedTime', 'actualTime'];

function timesIn(changes: JsonObject, at: string): readonly (readonly [path: string, time: string])[] {
  const ends = ['departure', 'arrival'].flatMap((end) => {
    const value = changes[end];
    return isObject(value) ? [[`${at}${end}`, value] as const] : [];
  });
  const { alternateInfo } = changes;
  const alternates = Array.isArray(alternateInfo) ? (alternateInfo as readonly Json[]) : [];
  return [
    ...ends.flatMap(([path, end]) =>
      clocks.flatMap((name) => {
        const time = end[name];
        return isSet(time) ? [[`${path}.${name}`, time] as const] : [];
      }),
    ),
    ...alternates.flatMap((one, index) => (isObject(one) ? timesIn(one, `alternateInfo[${index}].`) : [])),
  ];
}
