import { withField, readRequest, withBody, withQuery, fieldOf, onDeliveries, onJson } from '../asked.ts';
import {
  isItems,
  isMembers,
  textOf,
  type Json,
  type JsonObject,
  editSpots,
  type Spot,
  joinedWires,
  type Wire,
} from '../json.ts';
import { shuffled } from './jsonText.ts';
import type { Making, Variation } from './variation.ts';
import type { WireRequest } from '../../send/transport.ts';

/** Values that the documents leave open: order of sets, ids of any shape, names that nobody knows yet. */
export const setVariations: readonly Variation[] = [
  {
    id: 'missing-info-order',
    family: 'sets',
    law: 'missing_info holds what is missing, in no order that a document names.',
    wire: ({ random }) => reordered('missing_info', random),
  },
  {
    id: 'missing-info-times',
    family: 'sets',
    law: 'The format of a missing_info item is not shown: one may say when it was asked for.',
    wire: () => {
      let asked = Date.parse('2026-01-01T00:00:00Z');
      return onItems('missing_info', (item) =>
        typeof item === 'string' ? `${item} (${new Date((asked += 1000)).toISOString()})` : item,
      );
    },
  },
  {
    id: 'missing-info-ids',
    family: 'sets',
    law: 'The format of a missing_info item is not shown: one may be an object with an id of its own in each answer.',
    wire: () => {
      let asked = 0;
      return onItems('missing_info', (item) =>
        typeof item === 'string' ? { id: uuidOf(item, (asked += 1)), item } : item,
      );
    },
  },
  {
    id: 'pass-order',
    family: 'sets',
    law: 'boarding_passes holds URLs, in no order that a document names.',
    wire: ({ random }) => reordered('boarding_passes', random),
  },
  ...Object.entries({
    numbers: (_real: string, count: number) => String(7 + count),
    long: (real: string) => `${real}${'0123456789abcdef'.repeat(14)}`,
    odd: (real: string) => `CK/${real}?a=1&b=2+3 %41#é`,
    uuids: (real: string, count: number) => uuidOf(real, count),
  }).map(([name, show]): Variation => ({
    id: `checkin-ids-${name}`,
    family: 'sets',
    law: 'checkin_id is a string, of no shape that a document names.',
    wire: () => renamed(new Renaming('checkin_id', show)),
  })),
  {
    id: 'largest-booking-ids',
    family: 'sets',
    law: 'booking_id is a number; JSON numbers are exact up to 2^53 - 1 everywhere.',
    wire: () => renamed(new Renaming('booking_id', (real) => Number.MAX_SAFE_INTEGER - Number(real))),
  },
  {
    id: 'long-callback-keys',
    family: 'sets',
    law: 'Flight Alerts, Callback key: length and format beyond the prefix are not shown.',
    wire: () => renamed(new Renaming('callbackApiKey', (real) => `${real}.${'a1-B2_c3~'.repeat(25)}`)),
  },
  {
    id: 'new-flight-statuses',
    family: 'sets',
    law: 'Flight Alerts, Versioning 3: status and boarding-status sets are open; new values may appear at any time.',
    without: ['flights.put', 'flights.change'],
    wire: newStatuses,
  },
  {
    id: 'signed-passes',
    family: 'sets',
    law: 'boarding_passes are HTTPS URLs, which may have a query and a fragment.',
    wire: () =>
      onItems('boarding_passes', (url) =>
        typeof url === 'string' ? `${url}?sig=a%2Fb%3D&exp=1792&x=é#page=2` : url,
      ),
  },
];

function reordered(member: string, random: () => number): Wire {
  return onMember(member, (value) => (isItems(value) ? shuffled(value, random) : value));
}

function onItems(member: string, edit: (item: Json) => Json): Wire {
  return onMember(member, (value) => (isItems(value) ? value.map(edit) : value));
}

function onMember(member: string, edit: (value: Json) => Json): Wire {
  return onJson((value) =>
    editSpots(value, (spot) => (spot.path.split('.').at(-1) === member ? edit(spot.value) : spot.value)),
  );
}

/** Everything that names what a deployment gave out, under its other name. */
function renamed(renaming: Renaming): Wire {
  return joinedWires([
    onJson((value) => renaming.shown(value)),
    onDeliveries((arrival) => {
      const credential = fieldOf(arrival.headers, 'authorization');
      if (credential === null) return arrival;
      const shown = renaming.textShown(credential);
      return shown === credential
        ? arrival
        : { ...arrival, headers: withField(arrival.headers, 'authorization', shown) };
    }),
    {
      send: (inner) => (request) => inner(renaming.request(request)),
      set: (inner) => (state, params) => inner(state, realParams(params, renaming)),
    },
  ]);
}

function uuidOf(real: string, count: number): string {
  const hex = Buffer.from(`${count} ${real}`).toString('hex').padEnd(32, '0').slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

const unheard = ['taxiing', 'Delay ', 'holding pattern', 'returned to gate', '', 'état inconnu', 'de-icing'];

/** Another name for each status, always the same. */
function newStatuses({ random }: Making): Wire {
  const names = new Map<Json, string>();
  const start = Math.floor(random() * unheard.length);
  const nameOf = (status: Json) => {
    const name = names.get(status) ?? unheard[(start + names.size) % unheard.length] ?? '';
    names.set(status, name);
    return name;
  };
  return onJson((value) =>
    editSpots(value, (spot) => {
      const name = spot.path.split('.').at(-1) ?? '';
      const isLabel =
        name === 'boardingStatus' || (name === 'status' && 'departure' in (spot.around[0] ?? {}));
      return isLabel && typeof spot.value === 'string' ? nameOf(spot.value) : spot.value;
    }),
  );
}

/** Where a request, or a state, names a record. */
const identifiers: ReadonlySet<string> = new Set(['checkin_id', 'checkinId', 'webcheckin_id', 'booking_id']);

/** Values that a deployment gives out, under other names: shown to the harness, real to the deployment. */
class Renaming {
  readonly #member: string;
  readonly #show: (real: string, count: number) => Json;
  readonly #shown = new Map<string, Json>();
  readonly #real = new Map<string, Json>();

  /** `member` is where a deployment gives one out; `show` makes the other name of the n-th. */
  constructor(member: string, show: (real: string, count: number) => Json) {
    this.#member = member;
    this.#show = show;
  }

  /** What the deployment sends, as it is shown. */
  shown(value: Json): Json {
    return editSpots(value, (spot) => {
      const isGivenOut = spot.path.split(/[.\]]/).at(-1) === this.#member;
      if (isGivenOut && isScalar(spot.value)) this.#learn(spot.value);
      return this.#nameOf(spot) ?? spot.value;
    });
  }

  /** What the harness sends, as the deployment knows it. */
  real(value: Json): Json {
    return editSpots(value, (spot) =>
      isScalar(spot.value) && identifiers.has(spot.path)
        ? this.#spelled(spot.value, this.#real.get(String(spot.value)))
        : spot.value,
    );
  }

  /** A request with every name that it holds turned back. */
  request(request: WireRequest): WireRequest {
    const { query, body } = readRequest(request);
    const realQuery = this.real(query);
    const asked = realQuery === query ? request : withQuery(request, realQuery as JsonObject);
    const realBody = body === undefined ? undefined : this.real(body);
    return realBody === undefined || realBody === body ? asked : withBody(asked, realBody);
  }

  /** The real name of a text, or the text itself. */
  textShown(text: string): string {
    const shown = this.#shown.get(text);
    return typeof shown === 'string' ? shown : text;
  }

  /** A number may be that of something else, such as a flight, unless its member says what it is. */
  #nameOf({ path, value }: Spot): Json | undefined {
    if (!isScalar(value)) return undefined;
    const isNamed = this.#member !== 'booking_id' || path.split(/[.\]]/).at(-1) === this.#member;
    return isNamed ? this.#shown.get(String(value)) : undefined;
  }

  #learn(real: string | number): void {
    if (this.#shown.has(String(real))) return;
    const shown = this.#show(String(real), this.#shown.size);
    this.#shown.set(String(real), shown);
    this.#real.set(textOf(shown), real);
  }

  /** A number that was sent as text stays a text. */
  #spelled(sent: string | number, real: Json | undefined): Json {
    if (real === undefined) return sent;
    return typeof sent === 'string' ? textOf(real) : real;
  }
}

function isScalar(value: Json): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Params of a state with every name turned back; anything but an object stays as it is. */
function realParams<Params>(params: Params, renaming: Renaming): Params {
  return isMembers(params) ? (renaming.real(params) as Params) : params;
}
