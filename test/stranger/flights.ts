import { randomUUID } from 'node:crypto';
import type { Books, Enterprise, Watch } from './books.ts';
import { isMembers, type Members } from './payload.ts';
import { invalid, Refusal } from './refusal.ts';

/** Flights that upstream knows on every day, by their legs. */
const timetable: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  EK3: [['DXB', 'LHR']],
  QF1: [
    ['SIN', 'LHR'],
    ['SYD', 'SIN'],
  ],
};

export function lookup(books: Books, query: URLSearchParams): readonly Members[] {
  const [number, date] = ['flightNumber', 'departureDate'].map((name) => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) throw invalid(name);
    return value;
  });
  return legsOf(books, cleanNumber(number), day(date));
}

export function follow(books: Books, owner: Enterprise, sent: Members): Members {
  const number = cleanNumber(sent.flightNumber);
  const date = day(sent.departureDate);
  const from = airport(sent.departureAirportIata, 'departureAirportIata');
  const to = airport(sent.arrivalAirportIata, 'arrivalAirportIata');
  const hook = readHook(sent.callbackData);
  const [snapshot, ...more] = legsOf(books, number, date).filter((leg) => isOn(leg, from, to));
  if (more.length > 0) throw new Refusal(409, 'AMBIGUOUS_FLIGHT', 'There are two.');
  if (!snapshot) throw new Refusal(404, 'FLIGHT_NOT_FOUND', 'There is no such leg.');
  const leg = nameOf(number, date, from, to);
  const watch = books.watches.find((one) => one.owner === owner && one.leg === leg);
  if (!watch && books.upstreamFails === 'subscription')
    throw new Refusal(502, 'SUBSCRIPTION_FAILED', 'Upstream did not confirm; send it again.');
  const kept: Watch = watch ?? { owner, leg, hook: null };
  const shown = { success: true, latest_status_snapshot: snapshot };
  if (hook && kept.hook && kept.hook.fid !== hook.fid)
    throw new Refusal(409, 'EXTERNAL_FID_ALREADY_REGISTERED', 'It has another fid.');
  if (hook && kept.hook && kept.hook.url !== hook.url)
    throw new Refusal(409, 'CALLBACK_ALREADY_REGISTERED', 'It has another callback.');
  if (!watch) books.watches.push(kept);
  if (!hook || kept.hook) return shown;
  kept.hook = { ...hook, key: `fcb.${randomUUID()}` };
  return { ...shown, callbackApiKey: kept.hook.key };
}

/** Upstream knows exactly these legs from now on. */
export function put(books: Books, { flightNumber, departureDate, legs }: Members): void {
  const number = cleanNumber(flightNumber);
  const date = day(departureDate);
  const whole = (legs as Members[]).map((leg) => {
    const { departure, arrival } = leg as Record<string, Members>;
    const plain = legOn(number, date, String(departure?.airportIata), String(arrival?.airportIata));
    return { ...plain, ...merged(plain, leg) };
  });
  books.flights.set(`${number} ${date}`, whole);
}

/** Upstream reports a change of a leg; false where it knows no such leg. */
export function change(books: Books, sent: Members): boolean {
  const number = cleanNumber(sent.flightNumber);
  const date = day(sent.departureDate);
  const [from, to] = [String(sent.departureAirportIata), String(sent.arrivalAirportIata)];
  const legs = books.flights.get(`${number} ${date}`) ?? [];
  const index = legs.findIndex((leg) => isOn(leg, from, to));
  const before = legs[index];
  if (!before) return false;
  const after = { ...before, ...merged(before, sent.changes as Members) };
  legs[index] = after;
  const changes = differences(before, after);
  if (Object.keys(changes).length === 0) return true;
  for (const { leg, hook } of books.watches) {
    if (leg !== nameOf(number, date, from, to) || !hook) continue;
    const body = JSON.stringify({ changes, fid: hook.fid, notifiedAt: new Date().toISOString() });
    const headers = { Authorization: hook.key, 'Content-Type': 'application/json;charset=UTF-8' };
    for (let times = books.manners.duplicates ? 2 : 1; times > 0; times -= 1)
      books.deliveries.push(hook.url, headers, body);
  }
  return true;
}

function legsOf(books: Books, number: string, date: string): Members[] {
  if (books.upstreamFails === 'unavailable') throw new Refusal(502, 'PROVIDER_UNAVAILABLE', 'Try later.');
  if (books.upstreamFails === 'invalid-data') throw new Refusal(502, 'INVALID_PROVIDER_DATA', 'Unreadable.');
  const known =
    books.flights.get(`${number} ${date}`) ??
    (timetable[number] ?? []).map(([from, to]) => legOn(number, date, from, to));
  if (known.length === 0) throw new Refusal(404, 'FLIGHT_NOT_FOUND', 'There is no such flight.');
  const place = (leg: Members) => `${airportAt(leg, 'departure')}${airportAt(leg, 'arrival')}`;
  return [...known].sort((a, b) => place(a).localeCompare(place(b)));
}

/** A leg with values of all the odd kinds that can appear. */
function legOn(number: string, date: string, from: string, to: string): Members {
  return {
    flightNumber: number,
    stopover: { airportIata: null, city: '' },
    isCodeshare: 0,
    codeshareFlightNumber: ' ',
    status: 'schedule',
    airline: { name: null, code: /^[A-Z0-9]{2}(?=\d{1,4}$)|^[A-Z0-9]{3}/.exec(number)?.[0] ?? null },
    departure: {
      airportIata: from,
      city: '',
      terminal: null,
      utcOffsetSeconds: '0',
      scheduledTime: `${date} 09:40:00`,
      estimatedTime: null,
      actualTime: '',
      gate: null,
      boardingStatus: '',
    },
    arrival: {
      airportIata: to,
      city: null,
      terminal: '0',
      utcOffsetSeconds: 0,
      scheduledTime: `${date} 17:20:00`,
      estimatedTime: `${date} 17:25:00`,
      actualTime: null,
      baggageBelt: '',
    },
    source: 'upstream',
  };
}

function merged(leg: Members, changes: Members): Members {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      const old = leg[name];
      return [name, isMembers(value) && isMembers(old) ? { ...old, ...value } : value];
    }),
  );
}

function differences(before: Members, after: Members): Members {
  const changes: Members = {};
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    changes[name] =
      isMembers(old) && isMembers(value)
        ? Object.fromEntries(Object.entries(value).filter(([inner, one]) => old[inner] !== one))
        : value;
  }
  return changes;
}

function readHook(value: unknown): { fid: string; url: string } | null {
  if (value === undefined || value === null) return null;
  if (!isMembers(value)) throw invalid('callbackData');
  const { fid, callbackUrl: url } = value;
  const foreign = ['auth_header', 'clientId', 'clientName'].some((name) => name in value);
  if (foreign || typeof fid !== 'string' || fid === '' || fid.length > 255) throw invalid('fid');
  if (typeof url !== 'string' || !isPublic(url)) throw invalid('callbackUrl');
  return { fid, url };
}

const internal =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|invalid|arpa|onion)$/;

function isPublic(text: string): boolean {
  if (!/^https:\/\/[^\s/\\]/i.test(text) || /[\s\\#]/.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  const name = hostname.replace(/\.$/, '');
  const isLiteral = name.startsWith('[') || /^[\d.]+$/.test(name);
  const authority = /^https:\/\/([^/?]*)/i.exec(text)?.[1] ?? '';
  if (username !== '' || password !== '' || authority.includes('@')) return false;
  return name.includes('.') && !isLiteral && !internal.test(name);
}

function cleanNumber(value: unknown): string {
  if (typeof value !== 'string') throw invalid('flightNumber');
  const text = value.replace(/[\s-]/g, '').toUpperCase();
  const clean = /^[A-Z]{3}/.test(text) ? text : text.replace(/^([A-Z0-9]{2})0+(?=\d)/, '$1');
  if (!/^[A-Z0-9]{2,3}\d{1,4}$/.test(clean)) throw invalid('flightNumber');
  return clean;
}

function day(value: unknown): string {
  const isForm = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  const instant = isForm ? new Date(`${value}T00:00:00Z`) : null;
  if (!isForm || !instant || Number.isNaN(instant.getTime())) throw invalid('departureDate');
  if (!instant.toISOString().startsWith(value)) throw invalid('departureDate');
  if (value < new Date().toISOString().slice(0, 10)) throw invalid('departureDate');
  return value;
}

function airport(value: unknown, name: string): string {
  if (typeof value !== 'string' || !/^[a-z]{3}$/i.test(value.trim())) throw invalid(name);
  return value.trim().toUpperCase();
}

function isOn(leg: Members, from: string, to: string): boolean {
  return airportAt(leg, 'departure') === from && airportAt(leg, 'arrival') === to;
}

function airportAt(leg: Members, end: 'departure' | 'arrival'): string {
  const place = leg[end];
  return isMembers(place) ? String(place.airportIata) : '';
}

function nameOf(...parts: readonly string[]): string {
  return parts.join(' ');
}
