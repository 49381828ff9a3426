import type { ExchangeLine } from '../../send/journalLine.ts';
import { bodyText, pathOf } from '../page/moments.ts';

/** The members of a request and their values. */
export type Features = ReadonlyMap<string, string>;

/** A difference between two requests; null if one has no such member. */
interface RequestDifference {
  readonly member: string;
  readonly here: string | null;
  readonly there: string | null;
}

const mostFeatures = 400;
const longestValue = 200;
/** Longer bodies are not parsed. */
const longestBody = 60_000;
/** Headers that are new each time, or that no rule is about. */
const ordinary: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'user-agent',
  'x-api-key',
]);

/** A request as its members: the sender, the address, the headers, and each value of the body by its path. */
export function featuresOf({ request, enterprise, key }: ExchangeLine): Features {
  const features = new Map<string, string>();
  const put = (member: string, value: string) => {
    if (features.size < mostFeatures) features.set(member, value.slice(0, longestValue));
  };
  put(
    'key',
    key === null ? 'none' : `${key.replace(/#\d+$/, '')}${enterprise === null ? '' : ` of ${enterprise}`}`,
  );
  put('path', pathOf(request.url));
  const query = request.url.split('?').slice(1).join('?');
  for (const [name, value] of new URLSearchParams(query)) put(`?${name}`, value);
  for (const [name, value] of request.headers)
    if (!ordinary.has(name.toLowerCase()))
      put(`header ${name.toLowerCase()}`, value.replace(/boundary=.*/, 'boundary'));
  putBody(bodyText(request.body), put);
  return features;
}

type Put = (member: string, value: string) => void;

function putBody(text: string, put: Put): void {
  if (text === '' || text.length > longestBody) return;
  const parts = [...text.matchAll(/name="([^"\r\n]{1,100})"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([^]*?)\r\n--/g)];
  if (parts.length === 0) {
    putText('', text, put);
    return;
  }
  for (const [, name = '', value = ''] of parts) putText(name, value, put);
}

function putText(member: string, text: string, put: Put): void {
  try {
    putValue(member, JSON.parse(text) as unknown, put);
  } catch {
    put(member === '' ? 'body' : member, text);
  }
}

function putValue(member: string, value: unknown, put: Put, depth = 0): void {
  const isHolder = typeof value === 'object' && value !== null && depth < 8;
  const inner = isHolder ? Object.entries(value) : [];
  if (inner.length === 0) {
    put(member === '' ? 'body' : member, JSON.stringify(value));
    return;
  }
  for (const [name, one] of inner) {
    const path = Array.isArray(value) ? `${member}[${name}]` : member === '' ? name : `${member}.${name}`;
    putValue(path, one, put, depth + 1);
  }
}

/**
 * The differences between two requests, the most informative first: members that only one has, then values; values that are new
 * in each request are left out.
 */
export function differencesOf(here: Features, there: Features): readonly RequestDifference[] {
  return comparedWith(here, there)
    .filter((one) => one.here !== one.there && weightOf(one) >= fewest)
    .sort((one, other) => weightOf(other) - weightOf(one))
    .map((one) => ({
      ...one,
      here: isText(one.there) ? opened(one.here, one.member, here) : one.here,
      there: isText(one.here) ? opened(one.there, one.member, there) : one.there,
    }));
}

function isText(value: string | null): boolean {
  return value !== null && !whole.test(value);
}

const longestOpened = 80;

/** What is in an object or list, `{a: 1}` for `{…}`, since the other request may have a text there; cut if it is long. */
function opened(value: string | null, member: string, features: Features): string | null {
  if (value === null || !whole.test(value)) return value;
  const inner = [...features].filter(
    ([path]) => path.startsWith(`${member}.`) || path.startsWith(`${member}[`),
  );
  const texts = inner.map(([path, one]) => {
    const rest = path.slice(member.length);
    return /^\[\d+\]$/.test(rest) ? one : `${rest.replace(/^\./, '')}: ${one}`;
  });
  const [open, , close] = value;
  const text = texts.join(', ');
  return text.length > longestOpened ? value : `${open ?? ''}${text}${close ?? ''}`;
}

/** Values with a lower weight are new in each request. */
const fewest = 0.2;

/** How unlike two requests are. */
export function distanceOf(here: Features, there: Features): number {
  let distance = 0;
  for (const one of comparedWith(here, there)) distance += weightOf(one);
  return distance;
}

/** Members that differ; an object or list where the other request has something else, or nothing, counts as a whole. */
function comparedWith(here: Features, there: Features): RequestDifference[] {
  const names = new Set<string>();
  for (const [member, value] of here)
    if (there.get(member) !== value) names.add(there.has(member) ? member : unlikePart(member, there));
  for (const member of there.keys()) if (!here.has(member)) names.add(unlikePart(member, here));
  return Array.from(names, (member) => ({
    member,
    here: valueAt(member, here),
    there: valueAt(member, there),
  }));
}

/** `passengers[0].passport` for `passengers[0].passport.number`, if the other request has no object there. */
function unlikePart(member: string, other: Features): string {
  const holders = holdersOf(other);
  for (const { index } of member.matchAll(/[.[]/g)) {
    const part = member.slice(0, index);
    if (part !== '' && !holders.has(part)) return part;
  }
  return member;
}

function valueAt(member: string, features: Features): string | null {
  return features.get(member) ?? holdersOf(features).get(member) ?? null;
}

const holdersOfFeatures = new WeakMap<Features, ReadonlyMap<string, string>>();

/** The objects and lists of a request by path, and how they are shown. */
function holdersOf(features: Features): ReadonlyMap<string, string> {
  let holders = holdersOfFeatures.get(features);
  if (holders === undefined) {
    const found = [...features.keys()].flatMap((member) =>
      [...member.matchAll(/[.[]/g)].map(({ index, 0: sign }): [string, string] => [
        member.slice(0, index),
        sign === '[' ? '[…]' : '{…}',
      ]),
    );
    holdersOfFeatures.set(features, (holders = new Map(found)));
  }
  return holders;
}

/** Values that are made anew for each request say little. */
const freshMembers =
  /(?:^|\.|\?)(?:pnr|checkin_?id|webcheckin_id|booking_id|callbackUrl|fid|email|number|\w*_?name)$/i;
const flightMembers = /(?:flight_?number)$/i;
const clock = /\d{4}-\d\d-\d\d/;
const whole = /^(?:\[…\]|\{…\})$/;

function weightOf({ member, here, there }: RequestDifference): number {
  if (here === null || there === null) return 3;
  if (whole.test(here) !== whole.test(there)) return 2;
  if (here.startsWith('"') !== there.startsWith('"') && member.includes('.')) return 1.5;
  // The path of a callback address is new each time, its origin is not.
  if (member.endsWith('callbackUrl') && originOf(here) !== originOf(there)) return 1;
  if (freshMembers.test(member) && isPlain(here) && isPlain(there)) return 0.1;
  if (flightMembers.test(member) && formOf(here) === formOf(there)) return 0.1;
  return clock.test(here) && clock.test(there) && formOf(here) === formOf(there) ? 0.3 : 1;
}

/** Scheme, credentials, host and port of an address in a body. */
function originOf(value: string): string {
  return value.replace(/^"?([^/"]*\/\/[^/?#"]*)[^]*$/, '$1').toLowerCase();
}

function formOf(value: string): string {
  return value.replace(/\d/g, '0').replace(/[A-Z]/g, 'A');
}

/** Whether a value has an ordinary form: not empty, not null, of no other type. */
function isPlain(value: string): boolean {
  return /\w{4}/.test(value);
}
