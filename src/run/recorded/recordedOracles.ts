import { isDelivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import { isNote } from '../../trace/evidence.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { headerOf, isObject, memberOf, responseOf } from '../../judge/kernel/body.ts';
import type { Judgement } from '../../judge/kernel/judgement.ts';
import type { Oracle } from '../../judge/kernel/oracle.ts';
import { callOf } from '../../trace/call.ts';
import type { Sample } from '../../judge/kernel/sample.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { Recorded } from './lineEvidence.ts';

/** The passive oracles for recorded traffic: what it does not show for sure, they do not judge. */
export interface RecordedOracles {
  readonly oracles: readonly Oracle[];
  /** Why something was not judged, by requirement. */
  readonly withheld: ReadonlyMap<string, string>;
  /** Tells of a piece of evidence, before the oracles see it. */
  readonly add: (one: Recorded) => void;
}

/** Limits the oracles to what recorded traffic shows: other clients may have sent what it does not hold. */
export function recordedOracles(oracles: readonly Oracle[]): RecordedOracles {
  const withheld = new Map<string, string>();
  const known = new WeakMap<Evidence, Recorded>();
  const registered: Registered = { records: new Set(), fids: new Set() };
  let isWhole = true;
  const isKept = (sample: Sample, shown: Evidence | undefined): boolean => {
    // What is seen to be kept at the end rests on all of it.
    if (!shown) return isWhole && sample.judgement.status === 'holds';
    const one = known.get(shown);
    const why = one ? whyNot(sample, shown, { ...one, registered }) : null;
    if (why !== null) withheld.set(sample.requirement, why);
    return why === null;
  };
  const add = (one: Recorded) => {
    isWhole &&= one.isWhole;
    if (isNote(one.evidence)) return;
    known.set(one.evidence, one);
    learn(one.evidence, registered);
  };
  return { oracles: oracles.map((oracle) => limited(oracle, isKept)), withheld, add };
}

type IsKept = (sample: Sample, shown: Evidence | undefined) => boolean;

function limited(oracle: Oracle, isKept: IsKept): Oracle {
  const kept = (samples: readonly Sample[], shown?: Evidence) =>
    samples.filter((sample) => isKept(sample, sample.evidence?.[0] ?? shown));
  const createWatch: Oracle['createWatch'] = (known) => {
    // A watch may be an object with a state of its own: its methods are called on it.
    const watch = oracle.createWatch(known);
    return {
      ...(watch.exchange ? { exchange: (one) => kept(watch.exchange?.(one) ?? [], one) } : {}),
      ...(watch.delivery ? { delivery: (one) => kept(watch.delivery?.(one) ?? [], one) } : {}),
      ...(watch.note ? { note: (note) => watch.note?.(note) } : {}),
      ...(watch.end ? { end: () => kept(watch.end?.() ?? []) } : {}),
    };
  };
  // What a recording shows of an answer depends on more than the answer.
  const { judges: _, ...rest } = oracle;
  return { ...rest, createWatch };
}

/** Rules that count on a clock, which a state handler may move. */
const byClock = /^(?:SHR-LIM|WCI-JRN)-|^FLA-(?:GET-02[4-6]|SUB-03[45])$/;

interface Circumstances extends Pick<Recorded, 'isWhole' | 'isOwn' | 'movedMs' | 'showsCredentials'> {
  readonly registered: Registered;
}

function whyNot(
  { requirement, judgement, isSettled }: Sample,
  evidence: Evidence,
  { isWhole, isOwn, movedMs, showsCredentials, registered }: Circumstances,
): string | null {
  const row = loadCatalogue().get(requirement);
  const restsOn = 'restsOn' in row ? row.restsOn : [];
  if (restsOn.includes('credentials') && !showsCredentials)
    return 'the recording does not show the credentials';
  if (isWhole) return null;
  const isOfRun = isOwn && !isDelivery(evidence) && evidence.check !== 'proxy';
  if (isOfRun && movedMs === undefined && byClock.test(requirement))
    return 'the HAR of a run does not say how a state handler moved the clock';
  if (restsOn.includes('sender')) return 'a recording does not say what its keys were';
  if (isDelivery(evidence) && restsOn.includes('registration') && !isRegistered(evidence, registered))
    return 'the recording does not hold the subscribe that the callback belongs to';
  if (isCode(judgement, 'not-positive') || isCode(judgement, 'shared-hour'))
    return 'others may have used the key at the same time';
  // A locator that was changed, or a booking that was made, by a request that nobody recorded.
  if (isCode(judgement, 'locator') || isCode(judgement, 'listed') || (isKnownBefore(judgement) && !isSettled))
    return 'others may have written what the recording does not hold';
  const isUndated = !isDelivery(evidence) && headerOfAnswer(evidence, 'date') === null;
  if (restsOn.includes('date-header') && isUndated) return 'the recording has no Date headers';
  return null;
}

/** Something that rests on more than the answer itself. */
function isKnownBefore(judgement: Judgement): boolean {
  return judgement.status === 'violated' && judgement.code.startsWith('known:');
}

function isCode(judgement: Judgement, code: string): boolean {
  return judgement.status === 'violated' && judgement.code === code;
}

function headerOfAnswer(evidence: Exchange, name: string) {
  const response = responseOf(evidence);
  return response && headerOf(response, name);
}

/** What recorded subscribes made, rather than found: records and external flight ids. */
interface Registered {
  readonly records: Set<string>;
  readonly fids: Set<string>;
}

function learn(evidence: Evidence, { records, fids }: Registered): void {
  if (isDelivery(evidence)) return;
  const id = memberOf(evidence, 'checkin_id');
  const isNew = evidence.operation === 'wci.subscribe' && memberOf(evidence, 'message') === 'SCHEDULED';
  if (isNew && typeof id === 'string') records.add(id);
  const isFlight =
    evidence.operation === 'fla.subscribe' && typeof memberOf(evidence, 'callbackApiKey') === 'string';
  const callback = isFlight ? callOf(evidence)?.body?.callbackData : null;
  if (isObject(callback) && typeof callback.fid === 'string') fids.add(callback.fid);
}

/** A callback that names nothing is judged by the address that it came to. */
function isRegistered(
  delivery: Parameters<typeof deliveredObject>[0],
  { records, fids }: Registered,
): boolean {
  const { checkin_id: id, fid } = deliveredObject(delivery) ?? {};
  if (typeof id === 'string') return records.has(id);
  return typeof fid === 'string' ? fids.has(fid) : true;
}
