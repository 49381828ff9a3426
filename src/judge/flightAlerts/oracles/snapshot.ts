import type { Exchange } from '../../../core/evidence.ts';
import { isObject, objectOf, responseOf, type Json, type JsonObject } from '../../kernel/body.ts';
import { shownLegs, type ShownLeg } from '../flight.ts';
import { holds, unclear, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { describeValue } from '../../kernel/rule.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { judgeMissing } from './snapshotMembers.ts';
import { alternateRules, clockRule, isSet, legRules, memberRules, offsetRule } from './snapshotRules.ts';

/** Every leg snapshot, in a lookup or in a subscribe. */
export const snapshot: Oracle = {
  id: 'snapshot',
  title: 'A leg snapshot has its documented members with their types',
  verifies: [
    ...[...legRules, ...Object.values(memberRules), ...Object.values(alternateRules)].map(
      ({ requirement }) => requirement,
    ),
    offsetRule.requirement,
    clockRule.requirement,
    'FLA-SNP-012',
    'FLA-SNP-022',
    'FLA-SNP-026',
  ],
  operations: ['fla.lookup', 'fla.subscribe'],
  answers: 'accepted',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  return [...shownLegs(exchange).flatMap(judgeLeg), ...judgeSameStructure(exchange)];
}

function judgeLeg({ at, leg }: ShownLeg): readonly Sample[] {
  const samples = legRules.map(({ judge }) => judge(leg, at));
  for (const member of ['isCodeshare', 'codeshareFlightNumber', 'status'] as const) {
    if (leg[member] !== undefined) samples.push(memberRules[member].judge(leg, at));
  }
  samples.push(judgeMissing(leg, at), ...judgeEnd(leg.departure, `${at}.departure`));
  samples.push(...judgeEnd(leg.arrival, `${at}.arrival`), ...judgeAlternate(leg, at));
  const code = judgeAirlineCode(leg, at);
  return code ? [...samples, code] : samples;
}

function judgeEnd(end: Json | undefined, at: string): readonly Sample[] {
  if (!isObject(end)) return [];
  const clocks = judgeClocks(end, at);
  return end.utcOffsetSeconds === undefined ? clocks : [judgeOffset(end, at), ...clocks];
}

function judgeClocks(end: JsonObject, at: string): readonly Sample[] {
  const hasAny = isSet(end.scheduledTime) || isSet(end.estimatedTime) || isSet(end.actualTime);
  return hasAny ? [clockRule.judge(end, at)] : [];
}

function judgeOffset(end: JsonObject, at: string): Sample {
  const sample = offsetRule.judge(end, at);
  const seconds = Number(end.utcOffsetSeconds ?? 0);
  const mayBeHours = seconds !== 0 && !(Math.abs(seconds) > 14);
  if (sample.judgement.status !== 'holds' || !mayBeHours) return sample;
  const cause = `${at}.utcOffsetSeconds is ${describeValue(end.utcOffsetSeconds)}, which may be hours`;
  return sampleOf(offsetRule.requirement, unclear(cause));
}

/** null and an empty array are ways to say that none was received. */
function judgeAlternate({ alternateInfo }: JsonObject, at: string): readonly Sample[] {
  if (alternateInfo === undefined || alternateInfo === null) return [];
  if (Array.isArray(alternateInfo) && alternateInfo.length === 0) return [];
  const items = alternateRules.items.judge({ alternateInfo }, at);
  if (items.judgement.status !== 'holds' || !Array.isArray(alternateInfo)) return [items];
  const ends = alternateInfo.flatMap((item: JsonObject) => [item.departure, item.arrival]).filter(isObject);
  const clocks = ends.flatMap((end) => judgeClocks(end, `${at}.alternateInfo`));
  return [items, alternateRules.ends.judge({ alternateInfo }, at), ...clocks];
}

/** Two letters followed by digits are split in one way only. */
function judgeAirlineCode({ flightNumber, airline }: JsonObject, at: string): Sample | null {
  const letters =
    typeof flightNumber === 'string' ? /^\s*([A-Z]{2})[ -]*\d{1,4}\s*$/i.exec(flightNumber)?.[1] : undefined;
  const code = isObject(airline) ? airline.code : undefined;
  if (letters === undefined || typeof code !== 'string' || code.trim() === '' || code === '0') return null;
  if (code.trim().toUpperCase() === letters.toUpperCase()) return sampleOf('FLA-SNP-012', holds);
  const actual = `${at}.airline.code is ${describeValue(code)} for flightNumber ${describeValue(flightNumber)}`;
  return sampleOf(
    'FLA-SNP-012',
    violated('airline', `airline.code is ${letters.toUpperCase()} or null`, actual),
  );
}

const containers = ['stopover', 'airline', 'departure', 'arrival'] as const;

/** The snapshot of a subscribe has the structure of a lookup's element; the types in both are rules of their own. */
function judgeSameStructure(exchange: Exchange): readonly Sample[] {
  const body =
    exchange.operation === 'fla.subscribe' && responseOf(exchange)?.status === 200
      ? objectOf(exchange)
      : null;
  if (!body) return [];
  const leg = body.latest_status_snapshot;
  const members = ['flightNumber', ...containers];
  const expected = `latest_status_snapshot is an object with ${members.join(', ')}`;
  if (!isObject(leg)) {
    return [
      sampleOf(
        'FLA-SNP-022',
        violated('structure', expected, `latest_status_snapshot is ${describeValue(leg)}`),
      ),
    ];
  }
  const missing = members.find((name) => leg[name] === undefined);
  if (missing === undefined) return [sampleOf('FLA-SNP-022', holds)];
  return [sampleOf('FLA-SNP-022', violated('structure', expected, `${missing} is absent`))];
}
