import type { Call } from '../../trace/call.ts';
import { readForms } from '../grammar/readForms.ts';
import type { LegRequest } from '../world/legs.ts';

/** The sentence about the spelling of a number in a request, if it is not spelled as in the name of its flight; null otherwise. */
export function spellingRule({ op, query, body, exchange }: Call, name: string): string | null {
  const isLookup = op === 'fla.lookup';
  const sent = (isLookup ? query : body) ?? {};
  const clean = name.slice(0, name.indexOf(' '));
  if (sent.flightNumber === clean || (isLookup && exchange.request.target.includes('+'))) return null;
  const traits = (flightNumber: unknown) =>
    readForms({ ...sent, flightNumber }, { operation: op, carrier: isLookup ? 'query' : 'json' })
      .filter(({ at, isTrait }) => at === 'flightNumber' && isTrait)
      .flatMap(({ rule }) => rule ?? []);
  const plain = new Set(traits(clean));
  const rules = [...new Set(traits(sent.flightNumber))].filter((rule) => !isLookup || !plain.has(rule));
  const narrow = rules.includes('FLA-GET-015') ? rules.filter((rule) => rule !== 'FLA-GET-013') : rules;
  return narrow.length > 1 ? 'FLA-GET-014' : (narrow[0] ?? null);
}

/** The sentences by which another spelling of a leg in a subscribe names the same leg. */
export function spelledIn(call: Call, { departure, arrival, name }: LegRequest): readonly string[] {
  const { departureAirportIata: from, arrivalAirportIata: to } = call.body ?? {};
  const number = spellingRule(call, name);
  const isPlain = from === departure && to === arrival;
  return [...(number === null ? [] : [number]), ...(isPlain ? [] : ['FLA-SUB-021'])];
}
