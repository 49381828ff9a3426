import { isObject, type JsonObject } from '../../trace/body.ts';
import type { Suspects } from '../kernel/blame.ts';
import type { Change } from './changes.ts';
import type { Readiness } from './readiness.ts';

interface Before {
  readonly complete: boolean | null;
  readonly count: number;
}

/** The sentences about updates by which a booking is complete now, or is not. */
export function updateRules(
  body: JsonObject,
  change: Change,
  ready: Readiness,
  before: Before,
): Pick<Suspects, 'write' | 'narrow'> {
  const by = namedBy(body);
  if (change.kind === 'pnr') return ofPnr(ready, before, `${change.asked.carrier} ${by}`);
  const [rule, ...others] = ofPassengers(change.passengers, ready, before);
  const inCase = caseOf(rule, ready, change.passengers);
  const isPart = change.asked.carrier === 'multipart';
  const isInside = body.passengers === undefined;
  const place = isPart ? (isInside ? 'WCI-MP-013' : 'WCI-MP-012') : 'WCI-UPD-012';
  const wayOf = (one: string) =>
    isPart && isInside ? `${place} ${one}` : `${one} ${isPart || isInside ? place : by}`;
  if (inCase === null) return { write: [], narrow: [] };
  if (!isPart)
    return { write: [rule, ...others, ...inCase], narrow: [...waysOf(by, isPart, isInside), wayOf(rule)] };
  const leftOut = change.passengers.flatMap(leftOutOf).join(' ');
  // A later passenger of a list in parts may be lost, or what that one lacks be kept.
  if (others.length > 0)
    return { write: [rule], narrow: [`${wayOf(rule)} ${leftOut}`, ...others.map(wayOf)] };
  const write = [rule, ...inCase];
  if (rule !== 'WCI-UPD-029') return { write, narrow: [wayOf(rule), `${wayOf(rule)} ${leftOut}`] };
  // An update in parts may keep what was missing before, or lose what was sent.
  if (before.complete !== true) return { write, narrow: [] };
  const ways = waysOf(by, isPart, isInside);
  return { write, narrow: [...ways, wayOf(rule), ...inCase.map((one) => `${place} ${one}`)] };
}

/** A sentence may be broken in a case in which it has not been seen to hold, unless that has a sentence of its own. */
function caseOf(
  rule: string,
  { rules }: Readiness,
  passengers: readonly JsonObject[],
): readonly string[] | null {
  if (!rules.every((one) => plain.test(one))) return null;
  // The same case by another name would never be kept without the other.
  if (rules.some((one) => one.endsWith(' in an update'))) return [];
  return [[rule, ...rules, ...new Set(passengers.flatMap(leftOutOf))].join(' ')];
}

/** What is malformed or only scanned has sentences of its own. */
const plain = /^WCI-(RDY-|SUB-(005|014))/;

const members = ['email', 'nationality', 'passport'] as const;
const metadata = ['number', 'date_of_issue', 'expiry_date', 'place_of_issue', 'nationality'] as const;

/** What readiness goes by and a passenger has not at all. */
function leftOutOf(passenger: JsonObject): readonly string[] {
  const { passport } = passenger;
  const lacking = members.filter((name) => passenger[name] === undefined);
  if (!isObject(passport)) return lacking;
  return [
    ...lacking,
    ...metadata.filter((name) => passport[name] === undefined).map((name) => `passport.${name}`),
  ];
}

function ofPnr({ complete }: Readiness, before: Before, way: string): Pick<Suspects, 'write' | 'narrow'> {
  const kept = `WCI-UPD-036 ${complete === true ? 'complete' : 'incomplete'}`;
  if (before.complete === complete) return { write: [kept], narrow: [] };
  return { write: ['WCI-UPD-030', kept], narrow: [`WCI-UPD-030 ${way}`] };
}

function ofPassengers(
  passengers: readonly JsonObject[],
  { complete }: Readiness,
  before: Before,
): readonly [string, ...string[]] {
  const [count, [first = {}]] = [passengers.length, passengers];
  if (complete === true) return [count < before.count ? 'WCI-UPD-026' : 'WCI-UPD-029'];
  if (count > before.count && before.complete === true) return ['WCI-UPD-028'];
  // What a later one lacks may be kept from before, or lost with that passenger.
  const isOfLater = count > 1 && leftOutOf(first).length === 0;
  return count > before.count || isOfLater ? ['WCI-UPD-027', 'WCI-UPD-028'] : ['WCI-UPD-027'];
}

/** The sentences by which a list takes effect that is sent in this way. */
function waysOf(by: string, isPart: boolean, isInside: boolean): readonly string[] {
  const names: Readonly<Record<string, string>> = {
    webcheckin_id: isPart ? 'WCI-MP-015' : 'WCI-UPD-002',
    number: 'WCI-UPD-003',
    text: 'WCI-UPD-004',
  };
  const name = names[by];
  const place = isPart
    ? isInside
      ? 'WCI-MP-013 passengers'
      : 'WCI-MP-012'
    : isInside
      ? 'WCI-UPD-012'
      : null;
  return [place, name].filter((one) => one != null);
}

/** The member by which an update names its booking; of a booking_id its type. */
function namedBy({ checkin_id: id, webcheckin_id: alias, booking_id: booking }: JsonObject): string {
  if (id !== undefined) return 'checkin_id';
  if (alias !== undefined) return 'webcheckin_id';
  return typeof booking === 'number' ? 'number' : 'text';
}
