import {
  type CheckContext,
  type Exchange,
  type OwnRecord,
  consumedUnits,
  subscribe,
  unitsBetween,
} from '../checks.ts';
import { sameKey } from './keys.ts';

/** Measures repeatedly how many units are consumed. */
export interface QuotaMeter {
  /** The latest measurement. */
  readonly start: Exchange;
  /** Units that a measurement costs. */
  readonly cost: number;
  /** Attempts that a measurement makes. */
  readonly makes: 0 | 1;
  look(): Promise<Exchange>;
}

/** Sends the subscribe of a record once more. */
export const repeatSubscribe = (t: CheckContext, { body, subscribed }: OwnRecord): Promise<Exchange> =>
  t.send(subscribe(body, { key: sameKey(t, subscribed) }));

/**
 * Measures by repeating the subscribe of a record, which costs nothing or, since that is open, the same each time. If a repeat
 * shows no quota, a new attempt does. Null if that shows none either.
 */
export async function quotaMeter(t: CheckContext, record: OwnRecord): Promise<QuotaMeter | null> {
  const repeat = () => repeatSubscribe(t, record);
  const make = async () => (await t.fixtures.subscribed()).subscribed;
  const first = await repeat();
  if (consumedUnits(first) !== null) return meter(first, repeat, 0);
  return consumedUnits(record.subscribed) === null ? null : meter(await make(), make, 1);
}

async function meter(
  first: Exchange,
  look: () => Promise<Exchange>,
  makes: 0 | 1,
): Promise<QuotaMeter | null> {
  const start = await look();
  const cost = unitsBetween(first, start);
  return cost === null ? null : { start, cost, makes, look };
}
