import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Country and IANA time zone by airport; the payloads of Gatecheck are built from the same world. */
const airports = new Map<string, { country: string; zone: string }>();
for (const row of places()) airports.set(row.code, row);

export function airportOf(code: string): { country: string; zone: string } | undefined {
  return airports.get(code);
}

/** The instant of a wall clock, in epoch milliseconds: the zone's offset there, looked up twice for changes of it. */
export function instantOf(wall: string, zone: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  const first = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(first, zone);
}

function offsetAt(instant: number, zone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(instant);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}

function places(): { code: string; country: string; zone: string }[] {
  const file = join(import.meta.dirname, '../../fixtures/places/airports.yaml');
  return parse(readFileSync(file, 'utf8')) as { code: string; country: string; zone: string }[];
}
