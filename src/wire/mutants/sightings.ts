import type { ReceivedRequest } from '../../receive/inbox.ts';
import type { OperationId } from '../../core/operations.ts';
import type { WireResult } from '../../send/transport.ts';
import { inputsOf } from '../inputs.ts';
import { readJson } from '../json.ts';
import { fieldOf } from '../multipart.ts';
import { callbackOf } from '../registrations.ts';
import { spotsOf, type Spot } from '../spots.ts';
import type { Passing } from '../stage.ts';
import { subjectAt } from '../subject.ts';
import type { Condition, Traits } from '../traits.ts';
import { documentedFields } from './answers.ts';
import { isDocumentedInput } from './documentedInputs.ts';
import { effects } from './effects.ts';
import { isListed } from './occasion.ts';
import type { CallbackId, Family, Place } from './place.ts';
import { kindOf, type Kind } from './valueOperators.ts';

/** A place that a message of a conforming run has, with the conditions under which it was seen there. */
export interface SeenChange {
  readonly place: Place;
  readonly traits: Traits;
  /** What stood there; null for what is no value. */
  readonly kind: Kind | null;
  /** The value itself, and what it is about; null for what is no value. */
  readonly seen: { readonly spot: Spot; readonly subject: string } | null;
}

/** The places of an exchange. */
export function sightingsOf(passing: Passing, { outcome }: WireResult): readonly SeenChange[] {
  const about = passing.asked.operation;
  if (about === null || outcome.kind === 'failure') return [];
  const { status, body, headers } = outcome.response;
  const { traits, subject } = passing;
  const value = readJson(body);
  const fields = documentedFields.filter((name) => fieldOf(headers, name) !== null);
  const spots = value === undefined ? [] : spotsOf(value);
  const hasEffect = effects.some(({ operations }) => operations.includes(about));
  const answered = placeFor('answer', about, { status });
  return [
    bare(placeFor('status', about, { status })(''), traits),
    bare(placeFor('limiter', about)(''), traits),
    ...(hasEffect ? [bare(placeFor('effect', about)(''), traits)] : []),
    ...fields.map((name) => bare(answered(`header.${name}`), traits)),
    ...spots.map((spot) => valued(answered, spot, { traits, subject: subjectAt(spot, subject) })),
    ...(status === 200 ? inputSightings(passing, about) : []),
  ].filter(({ place }) => place.family !== 'deaf' || isDocumentedInput(place.path));
}

/** The places of a delivery. */
export function sightingsOfDelivery(arrival: ReceivedRequest, traits: Traits): readonly SeenChange[] {
  const value = readJson(arrival.body);
  const about = callbackOf(value);
  if (about === null || value === undefined) return [];
  const delivered = placeFor('delivery', about);
  const subject = `registration ${arrival.target}`;
  return [
    bare(delivered(''), traits),
    bare(delivered('header.content-type'), traits),
    ...spotsOf(value)
      .slice(1)
      .map((spot) => valued(delivered, spot, { traits, subject: subjectAt(spot, subject) })),
  ];
}

function inputSightings(passing: Passing, about: OperationId): readonly SeenChange[] {
  const { request, asked, traits, subject } = passing;
  const lost = placeFor('deaf', about, { carrier: asked.carrier });
  return spotsOf(inputsOf(request, asked))
    .slice(1)
    .map((spot) => valued(lost, spot, { traits, subject }));
}

type MakePlace = (path: string) => Place;

function placeFor(family: Family, about: OperationId | CallbackId, more: Partial<Place> = {}): MakePlace {
  return (path) => ({ family, about, status: null, carrier: null, ...more, path });
}

function bare(place: Place, traits: Traits): SeenChange {
  return { place, traits, kind: null, seen: null };
}

function valued(
  place: MakePlace,
  spot: Spot,
  { traits, subject }: { readonly traits: Traits; readonly subject: string },
): SeenChange {
  return {
    place: place(spot.path),
    traits: traitsAt(spot, traits),
    kind: kindOf(spot.value),
    seen: { spot, subject },
  };
}

/** Of a place within a list, the position says whether it is a further one. */
function traitsAt({ path, indexes }: Spot, traits: Traits): Traits {
  if (!isListed(path)) return traits;
  const own = new Set<Condition>(traits);
  own.delete('further');
  if (indexes.some((index) => index > 0)) own.add('further');
  return own;
}
