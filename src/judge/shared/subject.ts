import type { Exchange } from '../../core/evidence.ts';
import { keptTexts } from '../../core/latest.ts';
import type { Feature } from '../../spec/grammar/readForms.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { digestOf } from '../../trace/digest.ts';
import type { SentInputs } from './sentInputs.ts';

/** What a request is about, beside the forms of its members. */
export interface Subject {
  /** Operation and carrier. */
  readonly scope: string;
  /** The same for requests that ask the same, whatever their own ids. */
  readonly name: string;
  /** The local day or time that it is about; null if it is about none. */
  readonly day: string | null;
  /** That of its last leg: which departure has to be ahead is what a deployment may mistake. */
  readonly lastDay: string | null;
  /** The locator that a record is to have. */
  readonly pnr: string;
  /** The fid that a callback is to have; null without one. */
  readonly fid: string | null;
  /** Values of which only the deployment knows whether it takes them. */
  readonly circumstances: readonly string[];
}

export function subjectOf(exchange: Exchange, { asked, members, envelope }: SentInputs): Subject {
  const {
    pnr: _,
    checkin_id: _id,
    webcheckin_id: _alias,
    booking_id: _booking,
    callbackData,
    ...rest
  } = members;
  const scope = `${asked.operation} ${asked.carrier}`;
  const hasCallback = isObject(callbackData);
  return {
    scope,
    name: digestOf(scope, hasCallback, rest, envelope.files.length, envelope.isFileFirst),
    day: dayOf(members, 0),
    lastDay: dayOf(members, -1),
    pnr: `pnr ${valueText(isObject(members.payload) ? members.payload.pnr : members.pnr)}`,
    fid: hasCallback && typeof callbackData.fid === 'string' ? callbackData.fid : null,
    circumstances: [
      ...journeyOf(exchange, legsOf(members)),
      ...airportsOf(members),
      ...(hasCallback ? [`${asked.operation} host ${hostOf(callbackData.callbackUrl)}`] : []),
      ...['checkin_id', 'webcheckin_id', 'booking_id'].flatMap((name) =>
        members[name] === undefined ? [] : [`record ${valueText(members[name])}`],
      ),
    ],
  };
}

/** How a form is written: of what is free all but letters and digits, of what is open everything. */
export function detailOf({ kind, value, isTrait }: Feature): string {
  if (kind === 'open') return JSON.stringify(value);
  return isTrait || typeof value !== 'string' ? '' : shapeOf(value);
}

const shapeOf = keptTexts((text) =>
  text.replace(/[A-Za-z0-9]+/g, 'x').replace(/\p{L}[\p{L}\p{M}]*/gu, (word) => (word === 'x' ? word : 'é')),
);

/** The airline and route of each leg, and how long after the departure before it begins and ends. Where the journey may have been rejected, all legs. */
function journeyOf({ enterprise, outcome }: Exchange, legs: readonly JsonObject[]): readonly string[] {
  const isRejection = outcome.kind === 'response' && outcome.response.status !== 400;
  if (legs.length === 0) return isRejection ? [`trip ${enterprise} ${noLegs}`] : [];
  const whole = `trip ${enterprise} ${digestOf(...legs.map(routeOf), ...legs.map((leg) => leg.flight_number))}`;
  const start = timeOf(legs[0]?.departure_datetime);
  const gaps = legs.flatMap((leg, at) =>
    [leg.departure_datetime, leg.arrival_datetime].flatMap((clock) => {
      const gap = timeOf(clock) - start;
      return gap === 0 || Number.isNaN(gap) ? [] : [`leg ${at} ${digestOf(legs.map(routeOf), gap)}`];
    }),
  );
  return [...legs.map((leg) => `leg ${digestOf(routeOf(leg))}`), ...gaps, ...(isRejection ? [whole] : [])];
}

const noLegs = digestOf();

/** A number is known by its digits. */
export function valueText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function timeOf(clock: Json | undefined): number {
  return timeIn(valueText(clock));
}

const timeIn = keptTexts((clock) => {
  const [, day = '', time = ''] = /^\s*(\d{4}-\d\d-\d\d).(\d\d:\d\d)/.exec(clock) ?? [];
  return Date.parse(`${day}T${time}Z`);
});

function routeOf({ airline, origin, destination }: JsonObject): Json {
  return [airline ?? null, origin ?? null, destination ?? null];
}

function legsOf({ flights }: JsonObject): readonly JsonObject[] {
  return Array.isArray(flights) ? (flights as readonly Json[]).filter(isObject) : [];
}

/** The airports of a leg, and whether they are the same. */
function airportsOf({ departureAirportIata: from, arrivalAirportIata: to }: JsonObject): readonly string[] {
  const [departure, arrival] = [airport(from), airport(to)];
  const isCircle = departure.length > 0 && departure[0] === arrival[0];
  return [...departure, ...arrival, ...(isCircle ? ['a leg to where it came from'] : [])];
}

function airport(code: Json | undefined): readonly string[] {
  return typeof code === 'string' ? [`airport ${code.trim().toUpperCase()}`] : [];
}

function hostOf(url: Json | undefined): string {
  return typeof url === 'string' ? hostIn(url) : '';
}

const hostIn = keptTexts((url) => (URL.canParse(url) ? new URL(url).hostname : ''));

/** The departure of a leg, in the form in which times are compared. */
function dayOf(members: JsonObject, leg: number): string | null {
  const time = legsOf(members).at(leg)?.departure_datetime ?? members.departureDate;
  return typeof time === 'string' && /^\s*\d{4}-\d\d-\d\d/.test(time) ? time.trim() : null;
}
