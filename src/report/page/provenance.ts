import type { Finding } from '../../engine/findings/finding.ts';
import type { RunResult } from '../result.ts';
import { foreignFid } from '../member.ts';
import { bodyText, type Moment } from './moments.ts';
import type { PageEvidence } from './pageData.ts';

/** A record, or the fid of a registration, that a case is about but that was made before it. */
export interface Provenance {
  readonly kind: 'record' | 'fid';
  readonly id: string;
  /** Label of the key that made it. */
  readonly key: string | null;
  readonly exchange: string | null;
}

const most = 3;

/**
 * The origin of the records that the requests and callbacks of a case name but none of its requests made, and of a fid that came
 * instead of the one that the case registered.
 */
export function provenanceOf(
  finding: Finding,
  moments: readonly Moment[],
  effects: RunResult['sideEffects'],
  lines: PageEvidence['lines'],
): readonly Provenance[] {
  const sent = moments.map(sentText).join('\n');
  const own = new Set(finding.exchanges);
  const records = effects
    .filter(
      ({ id, exchange, kind }) =>
        kind === 'checkin' && id !== null && id.length > 3 && !own.has(exchange ?? ''),
    )
    .flatMap(({ id, key, exchange }) =>
      id !== null && sent.includes(id) ? [{ kind: 'record' as const, id, key, exchange }] : [],
    )
    .slice(0, most);
  return [...records, ...ownerOf(foreignFid(finding), moments, lines)];
}

/** The first request that registered a fid, if no request of the case did. */
function ownerOf(
  fid: string | null,
  moments: readonly Moment[],
  lines: PageEvidence['lines'],
): readonly Provenance[] {
  if (fid === null || moments.some((one) => one.kind === 'exchange' && sentText(one).includes(fid)))
    return [];
  const owner = Object.values(lines)
    .filter((line) => line.type === 'exchange')
    .toSorted((one, other) => one.startedAt.localeCompare(other.startedAt))
    .find((line) => bodyText(line.request.body).includes(fid));
  return owner === undefined ? [] : [{ kind: 'fid', id: fid, key: owner.key, exchange: owner.id }];
}

function sentText(moment: Moment): string {
  if (moment.kind === 'state') return '';
  if (moment.kind === 'delivery') return bodyText(moment.line.request.body);
  return `${moment.line.request.url} ${bodyText(moment.line.request.body)}`;
}

/** `wci_1 was made in x7 with key other#2`, `fid "00a" was registered in x7 with key primary#1` */
export function provenanceText({ kind, id, key, exchange }: Provenance): string {
  const [name, done] = kind === 'fid' ? [`fid ${id}`, 'registered'] : [id, 'made'];
  return `${name} was ${done}${exchange === null ? '' : ` in ${exchange}`}${key === null ? '' : ` with key ${key}`}`;
}
