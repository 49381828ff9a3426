import { accept, refuse, type Parsed } from './parsed.ts';

/** A percentage such as `80%`, as a share from 0 to 1. */
export function parseShare(text: string): Parsed<number> {
  const percent = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1];
  const share = Number(percent ?? Number.NaN) / 100;
  return share <= 1 ? accept(share) : refuse('a percentage from 0% to 100%, such as 80%', text);
}
