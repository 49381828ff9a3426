import type { Passenger } from '../webcheckin/records.ts';

/** The first passenger of each name. */
export function withoutNamesakes(sent: readonly Passenger[]): readonly Passenger[] {
  return sent.filter((one, at) => sent.findIndex((other) => isNamesake(one, other)) === at);
}

function isNamesake(one: Passenger, other: Passenger): boolean {
  return one.first_name === other.first_name && one.last_name === other.last_name;
}
