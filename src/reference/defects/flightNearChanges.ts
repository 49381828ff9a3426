import type { Policy } from '../policy.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('flight-alerts');

/** Two texts that a reader takes for one. */
type Same = (one: string, other: string) => boolean;

/** Leaves out what is the same to such a reader as it was before. */
const comparing =
  (isSame: Same): Policy['shapeChanges'] =>
  (changes, _snapshot, before) =>
    differing(changes, before, isSame);

function differing(changes: Part, before: Part, isSame: Same): Part {
  const told = Object.entries(changes).flatMap(([name, value]) => {
    const earlier = before[name];
    if (typeof value === 'string' && typeof earlier === 'string' && isSame(value, earlier)) return [];
    return [[name, isPart(value) && isPart(earlier) ? differing(value, earlier, isSame) : value]];
  });
  return Object.fromEntries(told) as Part;
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
const minute = (text: string) => /^(\d{4}-.*:\d\d):\d\d$/.exec(text)?.[1];
const number = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

function statusesIn(routes: unknown): string | null {
  return Array.isArray(routes)
    ? JSON.stringify(routes.map((one: unknown) => (isPart(one) ? one.status : one)))
    : null;
}

/** Mistakes in comparing what upstream has now with what it had before. */
export const flightNearChangeDefects: readonly Defect[] = [
  sometimes('changes-of-seconds-dropped', 'A time that changes by seconds is not reported.', 'FLA-CB-009', {
    shapeChanges: comparing((one, other) => minute(one) !== undefined && minute(one) === minute(other)),
  }),
  sometimes(
    'changes-of-equal-numbers-dropped',
    'A text that is the same number as before is not reported.',
    'FLA-CB-009',
    { shapeChanges: comparing((one, other) => number(one) === number(other)) },
  ),
  sometimes(
    'changes-of-accents-dropped',
    'A text that has other accents only is not reported.',
    'FLA-CB-009',
    { shapeChanges: comparing((one, other) => plain(one) === plain(other)) },
  ),
  sometimes(
    'changes-of-routes-by-status',
    'Alternate routes are reported where their statuses change.',
    'FLA-CB-013 also FLA-CB-032',
    {
      shapeChanges: (changes, _snapshot, before) => {
        const { alternateInfo, ...others } = changes;
        const routes = statusesIn(alternateInfo);
        return routes !== null && routes === statusesIn(before.alternateInfo) ? others : changes;
      },
    },
  ),
];
