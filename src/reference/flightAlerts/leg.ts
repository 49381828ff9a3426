/** The leg that a subscription is about. */
export interface LegName {
  readonly flightNumber: string;
  readonly date: string;
  readonly from: string;
  readonly to: string;
}

export function isSameFlight(one: LegName, other: LegName): boolean {
  return one.flightNumber === other.flightNumber && one.date === other.date;
}

export function isSameRoute(one: LegName, other: LegName): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Departure and arrival code of a leg. */
export function airports(leg: UpstreamLeg): readonly [string, string] {
  return [airportOf(leg.departure), airportOf(leg.arrival)];
}

function airportOf(end: unknown): string {
  const code = (end as { airportIata?: unknown } | undefined)?.airportIata;
  return typeof code === 'string' ? code : '';
}

export function compare(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const against = other[index] ?? '';
    if (text !== against) return text < against ? -1 : 1;
  }
  return 0;
}

/** What upstream knows about a leg: any part of a leg snapshot, with both airports. */
export type UpstreamLeg = Readonly<Record<string, unknown>>;

export type Snapshot = Record<string, unknown>;
