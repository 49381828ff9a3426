import { readRequest, withBody, withQuery } from '../asked.ts';
import type { WireRequest } from '../../send/transport.ts';
import { isMembers, textOf, type Json, type JsonObject } from '../json.ts';
import { editSpots, type Spot } from '../spots.ts';

/** Where a request, or a state, names a record. */
const identifiers: ReadonlySet<string> = new Set(['checkin_id', 'checkinId', 'webcheckin_id', 'booking_id']);

/** Values that a deployment gives out, under other names: shown to the harness, real to the deployment. */
export class Renaming {
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
        ? this.#spelt(spot.value, this.#real.get(String(spot.value)))
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
  #spelt(sent: string | number, real: Json | undefined): Json {
    if (real === undefined) return sent;
    return typeof sent === 'string' ? textOf(real) : real;
  }
}

function isScalar(value: Json): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Params of a state with every name turned back; anything but an object stays as it is. */
export function realParams<Params>(params: Params, renaming: Renaming): Params {
  return isMembers(params) ? (renaming.real(params) as Params) : params;
}
