import type { Finding } from '../../engine/finding.ts';
import type { RunResult } from '../result.ts';
import { bodyText, type Moment } from './moments.ts';

/** A record that a case is about but that was made before it. */
export interface Provenance {
  readonly id: string;
  /** Label of the key that made it. */
  readonly key: string | null;
  readonly exchange: string | null;
}

const most = 3;

/** The origin of the records that the requests and callbacks of a case name but none of its requests made. */
export function provenanceOf(
  { exchanges }: Finding,
  moments: readonly Moment[],
  effects: RunResult['sideEffects'],
): readonly Provenance[] {
  const sent = moments.map(sentText).join('\n');
  const own = new Set(exchanges);
  return effects
    .filter(
      ({ id, exchange, kind }) =>
        kind === 'checkin' && id !== null && id.length > 3 && !own.has(exchange ?? ''),
    )
    .flatMap(({ id, key, exchange }) => (id !== null && sent.includes(id) ? [{ id, key, exchange }] : []))
    .slice(0, most);
}

function sentText(moment: Moment): string {
  if (moment.kind === 'state') return '';
  if (moment.kind === 'delivery') return bodyText(moment.line.request.body);
  return `${moment.line.request.url} ${bodyText(moment.line.request.body)}`;
}

/** `wci_1 was made in x7 with key other#2` */
export function provenanceText({ id, key, exchange }: Provenance): string {
  return `${id} was made${exchange === null ? '' : ` in ${exchange}`}${key === null ? '' : ` with key ${key}`}`;
}
