import type { Delivery } from '../../core/evidence.ts';
import { bodyTypes, contentType, isJsonType, valuesNamed } from '../grammar/headers.ts';
import { bodyOf, isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { legMembers, legObjects, legPaths } from '../grammar/legSnapshot.ts';
import type { Findings } from '../kernel/findings.ts';
import { absent, pattern, text, type, value } from '../kernel/value.ts';
import { signatureFault } from './deliveries.ts';
import { alternateEnds, judgeClocks } from './legForms.ts';
import { valueAt } from './legMembers.ts';

/** What every flight change notification looks like. */
export function judgeNoticeForm(delivery: Delivery, findings: Findings): void {
  judgePost(delivery, findings);
  // The sink did not read the whole of it.
  if (delivery.truncated) return;
  findings.settle('FLA-CB-004', signatureFault(delivery));
  const body = bodyOf(delivery);
  const object = body.kind === 'json' && isObject(body.value) ? body.value : null;
  if (!object) {
    const got = body.kind === 'json' ? value(body.value) : text(body.why);
    findings.break('FLA-CB-005', { code: 'object', at: 'body', want: type('object'), got });
    return;
  }
  const { fid, changes } = object;
  if (typeof fid === 'string' && isObject(changes)) findings.keep('FLA-CB-005');
  else if (typeof fid !== 'string')
    findings.break('FLA-CB-005', { code: 'fid', at: 'fid', want: type('string'), got: value(fid) });
  else
    findings.break('FLA-CB-005', {
      code: 'changes',
      at: 'changes',
      want: type('object'),
      got: value(changes),
    });
  if (isObject(changes)) judgeChanges(changes, findings);
}

function judgePost({ method, headers }: Delivery, findings: Findings): void {
  if (method !== 'POST')
    findings.break('FLA-CB-002', { code: 'method', at: 'method', want: value('POST'), got: value(method) });
  const types = valuesNamed(headers, contentType);
  const isJson = types.length > 0 && types.every(isJsonType);
  findings.check('FLA-CB-002', isJson, () => ({
    ...{ code: 'content-type', at: `header ${contentType}`, want: value(bodyTypes.json) },
    got: value(types.length === 0 ? undefined : types.join(', ')),
  }));
}

function judgeChanges(changes: JsonObject, findings: Findings): void {
  findings.check('FLA-CB-032', Object.keys(changes).length > 0, () => ({
    ...{ code: 'empty', at: 'changes', want: pattern('an object with a changed field'), got: value(changes) },
  }));
  judgeNesting(changes, findings);
  // A sample if any time is reported; null, blank and zero values are not times.
  for (const [name, end] of Object.entries({ departure: changes.departure, arrival: changes.arrival }))
    if (isObject(end)) judgeClocks(end, `changes.${name}`, 'FLA-CB-022', findings);
  for (const { end, at } of alternateEnds(changes.alternateInfo, 'changes.alternateInfo'))
    judgeClocks(end, at, 'FLA-CB-022', findings);
}

const flatNames = legMembers.flatMap(({ path, holder, name }) =>
  holder === null ? [] : holder === 'departure' || holder === 'arrival' ? [path, name] : [path],
);

/** `changes` nests as a snapshot does. Further members are no violation; an object of null was cleared. */
function judgeNesting(changes: JsonObject, findings: Findings): void {
  const wrong = (code: string, at: string, want = type('object')) =>
    findings.break('FLA-CB-007', { code, at: `changes.${at}`, want, got: value(valueAt(changes, at)) });
  const isNone = (given: Json | undefined) => given === undefined || given === null;
  for (const name of flatNames)
    if (changes[name] !== undefined)
      findings.break('FLA-CB-007', {
        code: 'flat',
        at: `changes.${name}`,
        want: absent,
        got: value(changes[name]),
      });
  for (const name of Object.keys(legObjects))
    if (!isNone(changes[name]) && !isObject(changes[name])) wrong('container', name);
  for (const path of legPaths) {
    const given = valueAt(changes, path);
    if (typeof given === 'object' && given !== null) wrong('leaf', path, pattern('a value'));
  }
  if (!isNone(changes.alternateInfo) && !Array.isArray(changes.alternateInfo))
    wrong('alternates', 'alternateInfo', type('array'));
  findings.keep('FLA-CB-007');
}
