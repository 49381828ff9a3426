import type { Finding } from '../engine/finding.ts';

const memberPattern = /^(?:\[\d*\]\.)?[a-z][\w-]*(?:\[\d*\])?(?:\.\w+(?:\[\d*\])?)*(?= )/i;

/**
 * The member of a body that a finding is about, such as `booking_id` in `booking_id is a number`: named by the code, or by the
 * beginning of both texts.
 */
export function memberNamedBy({ code = '', expected, actual }: Finding): string | null {
  const [member, other] = [expected, actual].map((text) => memberPattern.exec(beginningOf(text))?.[0]);
  if (member !== undefined && member !== 'HTTP' && other === member) return member;
  // `sub_status "X"` if `a sub_status other than X` is due.
  const shown = /^[a-z]\w*_\w+(?= (?:"|\[|\{|-?\d|true|false|null))/.exec(beginningOf(actual))?.[0];
  if (
    shown !== undefined &&
    beginningOf(expected)
      .split(/[^\w]+/)
      .includes(shown)
  )
    return shown;
  // `data[0].created_at is 240 minutes off`.
  const item = /^data\[\d+\]\.[a-z]\w*(?= is )/.exec(beginningOf(actual))?.[0];
  if (item !== undefined) return item;
  return /^shape:(.+)$/.exec(beginningOf(code))?.[1] ?? null;
}

/** The value that came for the member of a finding, in the spelling of a body. */
export function valueNamedBy(finding: Finding): string | null {
  const member = memberNamedBy(finding);
  const actual = beginningOf(finding.actual);
  if (member === null || !actual.startsWith(`${member} `)) return null;
  return actual.slice(member.length + 1).replace(/^is /, '');
}

/** The fid that a callback had, in the spelling of a body, if it should have had another one. */
export function foreignFid({ expected, actual, requirement }: Finding): string | null {
  if (!requirement.startsWith('FLA-CB-')) return null;
  const fid = /\bfid ("(?:[^"\\]|\\.){6,}")/.exec(beginningOf(actual))?.[1];
  return fid === undefined || beginningOf(expected).includes(fid) ? null : fid;
}

/** Texts from a target may be long, and matching patterns would take too much time. */
export function beginningOf(text: string): string {
  return text.slice(0, 1000);
}
