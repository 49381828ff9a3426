import type { Finding } from '../../engine/findings/finding.ts';
import { foreignFid, memberNamedBy } from '../member.ts';
import { isSilent } from '../silence.ts';
import { bodyText, type Moment } from './moments.ts';

/** What is wrong in the decisive answer or callback. */
export interface Wrong {
  /** The member that is wrong. */
  readonly member?: string | null;
  /** The identifier that came instead of the right one. */
  readonly foreign?: string | null;
  /** The callback that others had to follow, if they did not come. */
  readonly last?: string | null;
}

/** Most requests that are shown because they may have changed the record. */
const mostChanges = 6;

/** What a finding says is wrong. */
export function wrongOf(finding: Finding): Wrong {
  const last = isSilent(finding) ? (finding.decisive ?? null) : null;
  return { member: memberNamedBy(finding), foreign: foreignFid(finding), last };
}

/**
 * The requests that have to be seen next to the decisive moment: for a callback, the one that set the member and the one that its
 * identifier belongs to; for the answer to a read, those that changed its record, or tried to, since it was read before.
 */
export function informativeOf(
  moments: readonly Moment[],
  decisive: string | null,
  { member = null, foreign = null, last = null }: Wrong,
): ReadonlySet<string> {
  const delivered = moments.find(({ id, kind }) => id === last && kind === 'delivery');
  if (delivered !== undefined) return idsOf([delivered]);
  const at = moments.findIndex(({ id }) => id === decisive);
  const decider = moments[at];
  const before = moments.slice(0, Math.max(0, at));
  if (decider?.kind === 'delivery') {
    const name = member?.split('.').at(-1) ?? 'callbackData';
    const setter = moments.findLast((moment) => asked(moment).includes(`"${name}"`));
    const owner = foreign === null ? undefined : before.find((moment) => asked(moment).includes(foreign));
    return idsOf([setter, owner]);
  }
  if (decider?.kind !== 'exchange') return new Set();
  const changes = changesOf(before, decider);
  return idsOf(changes.length > 0 ? changes : [before.findLast((moment) => asked(moment) !== '')]);
}

function idsOf(moments: readonly (Moment | undefined)[]): ReadonlySet<string> {
  return new Set(moments.flatMap((moment) => moment?.id ?? []));
}

type Exchange = Extract<Moment, { kind: 'exchange' }>;

/** The requests with a body that name the record which is read, since the last read of it; if there are none since, the last one. */
function changesOf(before: readonly Moment[], decider: Exchange): readonly Moment[] {
  const { url } = decider.line.request;
  const record = /[?&]checkin(?:_i|I)d=([^&]{4,})/.exec(url)?.[1];
  if (record === undefined) return [];
  const booking = /"booking_id":\s*(\d{3,})/.exec(bodyText(decider.line.response?.body ?? null))?.[1];
  const byBooking = booking === undefined ? null : new RegExp(`"booking_id":\\s*"?${booking}\\b`);
  const names = (text: string) => text.includes(record) || byBooking?.test(text) === true;
  const changes = before.filter((moment) => names(asked(moment)));
  const read = before.findLastIndex(
    (moment) => moment.kind === 'exchange' && moment.line.request.url === url && asked(moment) === '',
  );
  const since = changes.filter((moment) => before.indexOf(moment) > read);
  return since.length > 0 ? since.slice(-mostChanges) : changes.slice(-1);
}

/** What a request said; empty for a state or a callback. */
function asked(moment: Moment): string {
  return moment.kind === 'exchange' ? bodyText(moment.line.request.body) : '';
}
