import type { Exchange } from '../../../core/evidence.ts';
import { objectOf, responseOf, type Json, type JsonObject } from '../../kernel/body.ts';
import { requestedLeg, shownLegs, type ShownLeg } from '../../../spec/world/legs.ts';
import { holds, unclear, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

const requirement = 'FLA-GET-030';

/** Data of this run's subscriptions that a lookup must not show. */
interface Known {
  readonly keys: RecentMap<string, true>;
  readonly registrations: RecentMap<string, true>;
}

/** Lookups show flights, and no data of any subscription to them. */
export const lookupPrivacy: Oracle = {
  id: 'lookup-privacy',
  title: 'A lookup shows nothing of subscriptions',
  verifies: [requirement],
  operations: ['fla.lookup', 'fla.subscribe'],
  createWatch: () => {
    const known: Known = { keys: new RecentMap(), registrations: new RecentMap() };
    return {
      exchange: (exchange) => {
        learn(exchange, known);
        if (exchange.operation !== 'fla.lookup') return noSamples;
        return shownLegs(exchange).map((shown) => judgeLeg(shown, known));
      },
      forgotten: () => known.keys.forgotten + known.registrations.forgotten,
    };
  },
};

function learn(exchange: Exchange, { keys, registrations }: Known): void {
  if (exchange.operation !== 'fla.subscribe' || responseOf(exchange)?.status !== 200) return;
  const key = objectOf(exchange)?.callbackApiKey;
  if (typeof key === 'string' && key.length >= 8) keys.set(key, true);
  const { fid, callbackUrl } = requestedLeg(exchange)?.callback ?? {};
  for (const value of [fid, callbackUrl]) {
    if (typeof value === 'string' && value.length >= 8) registrations.set(value, true);
  }
}

const documented: ReadonlySet<string> = new Set([
  'flightNumber',
  'stopover',
  'alternateInfo',
  'isCodeshare',
  'codeshareFlightNumber',
  'status',
  'airline',
  'departure',
  'arrival',
]);

/** Names that can only mean what the document excludes: ids, credentials, flags and history. */
const plainNames =
  /^(history|(is_?)?subscribed|(has_?)?subscription(_?id)?|subscription_?ids|callback_?(api_?key|url))$/i;

function judgeLeg({ at, leg }: ShownLeg, { keys, registrations }: Known): Sample {
  const extra = Object.keys(leg).filter((name) => !documented.has(name));
  const strange = Object.fromEntries(extra.map((name) => [name, leg[name]]));
  if ((keys.size > 0 && holdsText(leg, keys)) || (extra.length > 0 && holdsText(strange, registrations))) {
    return sampleOf(
      requirement,
      violated('value', 'no data of a subscription', `${at} holds a value of a subscription of this run`),
    );
  }
  const plain = extra.find((name) => plainNames.test(name) && leg[name] !== null);
  if (plain !== undefined)
    return sampleOf(requirement, violated('member', 'no data of a subscription', `${at}.${plain}`));
  const named = extra.find((name) => /subscri|callback|history|^fid$|credential|apikey|auth/i.test(name));
  if (named === undefined) return sampleOf(requirement, holds);
  return sampleOf(requirement, unclear(`${at}.${named} is named like data of a subscription`));
}

function holdsText(value: Json | JsonObject | undefined, texts: ReadonlyMap<string, true>): boolean {
  if (typeof value === 'string') return texts.has(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member: Json | undefined) => holdsText(member, texts));
}
