/** How flight numbers are cleaned before they are judged (GET flight-alerts, flightNumber). */
export interface FlightNumberCleaning {
  readonly upperCases: boolean;
  /** Characters that are removed. */
  readonly removes: RegExp;
  /** Leading zeros: group 1 stays, the zeros after it go. */
  readonly zeros: RegExp;
  readonly grammar: RegExp;
}

export const documentedCleaning: FlightNumberCleaning = {
  upperCases: true,
  removes: /[ -]/g,
  zeros: /^([A-Z]{2})0+(?=\d)/,
  grammar: /^[A-Z0-9]{2,3}\d{1,4}$/,
};

/** The cleaned flight number; null if it breaks the grammar. */
export function cleanFlightNumber(text: string, cleaning: FlightNumberCleaning): string | null {
  const upper = cleaning.upperCases ? text.toUpperCase() : text;
  const cleaned = upper.replace(cleaning.removes, '').replace(cleaning.zeros, '$1');
  return cleaning.grammar.test(cleaned) ? cleaned : null;
}

/** The airline code that a cleaned flight number starts with; null where there is none. */
export function carrierOf(flightNumber: string): string | null {
  // Only digits follow the prefix, so that a letter in third place belongs to it.
  return /^[A-Z0-9]{2}[A-Z]?/.exec(flightNumber)?.[0] ?? null;
}
