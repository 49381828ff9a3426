import { isObject, type Json, type JsonObject } from '../../trace/json.ts';
import { alternateMembers, isSet, legMembers, legObjects, text } from '../grammar/legSnapshot.ts';
import type { Findings, Wrong } from '../kernel/findings.ts';
import { absent, pattern, type, value, type Value } from '../kernel/value.ts';

/** The members of a leg snapshot have the documented types, wherever it is shown. */
export function judgeLegForm(leg: JsonObject, at: string, findings: Findings): void {
  for (const [name, rule] of Object.entries(legObjects))
    findings.check(rule, isObject(leg[name]), () => wrongType(at, name, type('object'), leg[name]));
  for (const { path, holder, name, rule, form, isRequired } of legMembers) {
    const object = holder === null ? leg : leg[holder];
    if (!isObject(object)) continue;
    const got = object[name];
    if (got !== undefined || isRequired)
      findings.check(rule, got !== undefined && form.fits(got), () => wrongType(at, path, form.want, got));
    else
      findings.break('FLA-SNP-026', { code: 'absent', at: `${at}.${path}`, want: value(null), got: absent });
  }
  findings.keep('FLA-SNP-026');
  for (const end of ['departure', 'arrival'] as const) judgeEnd(leg[end], `${at}.${end}`, findings);
  judgeAlternates(leg.alternateInfo, `${at}.alternateInfo`, findings);
  judgeAirlineCode(leg, at, findings);
}

function wrongType(at: string, path: string, want: Value, got: Json | undefined): Wrong {
  return { code: `shape:${path}`, at: `${at}.${path}`, want, got: value(got) };
}

function judgeEnd(end: Json | undefined, at: string, findings: Findings): void {
  if (!isObject(end)) return;
  judgeClocks(end, at, 'FLA-SNP-016', findings);
  const { utcOffsetSeconds: offset = null } = end;
  const seconds = Number(offset);
  if (seconds !== 0 && !(Math.abs(seconds) > 14))
    findings.doubt('FLA-SNP-015', `${at}.utcOffsetSeconds is ${JSON.stringify(offset)}, which may be hours`);
}

const clocks = ['scheduledTime', 'estimatedTime', 'actualTime'] as const;

/** The times of a departure or arrival that has any. */
export function judgeClocks(end: JsonObject, at: string, rule: string, findings: Findings): void {
  for (const name of clocks) {
    const time = end[name];
    if (!isSet(time)) continue;
    const want = pattern('YYYY-MM-DD HH:mm:ss without offset');
    findings.check(rule, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time), () => ({
      ...{ code: 'form', at: `${at}.${name}`, want, got: value(time) },
    }));
  }
}

/** Items of a list that are judged. */
const mostItems = 1000;

/** The departures and arrivals in a list of alternate routes. */
export function alternateEnds(list: Json | undefined, at: string) {
  const items = Array.isArray(list) ? (list as readonly Json[]).slice(0, mostItems) : [];
  return items.flatMap((item, index) =>
    isObject(item)
      ? [item.departure, item.arrival].flatMap((end, second) =>
          isObject(end) ? [{ end, at: `${at}[${index}].${second === 0 ? 'departure' : 'arrival'}` }] : [],
        )
      : [],
  );
}

/** null and an empty array are ways to say that none was received. */
function judgeAlternates(list: Json | undefined, at: string, findings: Findings): void {
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0)) return;
  const items = Array.isArray(list) ? (list as readonly Json[]).slice(0, mostItems) : null;
  const isEnd = (end: Json | undefined) => end === undefined || end === null || isObject(end);
  const isItem = (item: Json) =>
    isObject(item) && text.fits(item.status ?? null) && isEnd(item.departure) && isEnd(item.arrival);
  findings.check('FLA-SNP-004', items?.every(isItem) === true, () => {
    const wrong = items?.findIndex((item) => !isItem(item)) ?? -1;
    const want = pattern('an array of objects with status, departure and arrival');
    return wrong < 0
      ? { code: 'shape:alternateInfo', at, want, got: value(list) }
      : { code: 'shape:alternateInfo', at: `${at}[${wrong}]`, want, got: value(items?.[wrong]) };
  });
  findings.keep('FLA-SNP-005');
  for (const { end, at: place } of alternateEnds(list, at)) {
    for (const [name, { want, fits }] of alternateMembers) {
      const got = end[name];
      if (got !== undefined && !fits(got)) findings.break('FLA-SNP-005', wrongType(place, name, want, got));
    }
    judgeClocks(end, place, 'FLA-SNP-016', findings);
  }
}

/** A prefix of two or three letters, or with a letter in third place, is split from the digits in one way only. */
function judgeAirlineCode({ flightNumber, airline }: JsonObject, at: string, findings: Findings): void {
  const code = isObject(airline) ? airline.code : undefined;
  if (typeof code !== 'string' || typeof flightNumber !== 'string' || code.trim() === '' || code === '0')
    return;
  const match = /^\s*([A-Z]{2}|[A-Z0-9]{2}[A-Z])[ -]*\d{1,4}\s*$/i.exec(flightNumber);
  const prefix = match?.[1]?.toUpperCase();
  if (prefix === undefined) return;
  findings.check(
    prefix.length === 2 ? 'FLA-SNP-012' : 'FLA-SNP-034',
    code.trim().toUpperCase() === prefix,
    () => ({
      ...{ code: 'airline', at: `${at}.airline.code`, want: value(prefix), got: value(code) },
    }),
  );
}
