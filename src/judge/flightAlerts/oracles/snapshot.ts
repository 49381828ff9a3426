import type { Exchange } from '../../../core/evidence.ts';
import { bareObjectOf, isObject, responseOf, type Json, type JsonObject } from '../../kernel/body.ts';
import { shownLegs, type ShownLeg } from '../../../spec/world/legs.ts';
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
    'FLA-SNP-034',
  ],
  operations: ['fla.lookup', 'fla.subscribe'],
  answers: 'accepted',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const samples: Sample[] = [];
  for (const shown of shownLegs(exchange)) judgeLeg(shown, samples);
  const same = judgeSameStructure(exchange);
  if (same !== null) samples.push(same);
  return samples;
}

/** Adds to a list, as all functions below do: a lookup shows many legs. */
function judgeLeg({ at, leg }: ShownLeg, samples: Sample[]): void {
  for (const { judge: judgeRule } of legRules) samples.push(judgeRule(leg, at));
  for (const member of members) {
    if (leg[member] !== undefined) samples.push(memberRules[member].judge(leg, at));
  }
  samples.push(judgeMissing(leg, at));
  judgeEnd(leg.departure, `${at}.departure`, samples);
  judgeEnd(leg.arrival, `${at}.arrival`, samples);
  judgeAlternate(leg, at, samples);
  const code = judgeAirlineCode(leg, at);
  if (code !== null) samples.push(code);
}

const members = ['isCodeshare', 'codeshareFlightNumber', 'status'] as const;

function judgeEnd(end: Json | undefined, at: string, samples: Sample[]): void {
  if (!isObject(end)) return;
  if (end.utcOffsetSeconds !== undefined) samples.push(judgeOffset(end, at));
  judgeClocks(end, at, samples);
}

function judgeClocks(end: JsonObject, at: string, samples: Sample[]): void {
  const hasAny = isSet(end.scheduledTime) || isSet(end.estimatedTime) || isSet(end.actualTime);
  if (hasAny) samples.push(clockRule.judge(end, at));
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
function judgeAlternate({ alternateInfo }: JsonObject, at: string, samples: Sample[]): void {
  if (alternateInfo === undefined || alternateInfo === null) return;
  if (Array.isArray(alternateInfo) && alternateInfo.length === 0) return;
  const items = alternateRules.items.judge({ alternateInfo }, at);
  samples.push(items);
  if (items.judgement.status !== 'holds' || !Array.isArray(alternateInfo)) return;
  samples.push(alternateRules.ends.judge({ alternateInfo }, at));
  const ends = alternateInfo.flatMap((item: JsonObject) => [item.departure, item.arrival]).filter(isObject);
  for (const end of ends) judgeClocks(end, `${at}.alternateInfo`, samples);
}

/** A prefix of two or three letters, or with a letter in third place, is split from the digits in one way only. */
function judgeAirlineCode({ flightNumber, airline }: JsonObject, at: string): Sample | null {
  const match =
    typeof flightNumber === 'string'
      ? /^\s*([A-Z]{2}|[A-Z0-9]{2}[A-Z])[ -]*\d{1,4}\s*$/i.exec(flightNumber)
      : null;
  const prefix = match?.[1]?.toUpperCase();
  const code = isObject(airline) ? airline.code : undefined;
  if (prefix === undefined || typeof code !== 'string' || code.trim() === '' || code === '0') return null;
  const rule = prefix.length === 2 ? 'FLA-SNP-012' : 'FLA-SNP-034';
  if (code.trim().toUpperCase() === prefix) return sampleOf(rule, holds);
  const actual = `${at}.airline.code is ${describeValue(code)} for flightNumber ${describeValue(flightNumber)}`;
  return sampleOf(rule, violated('airline', `airline.code is ${prefix} or null`, actual));
}

const structure = ['flightNumber', 'stopover', 'airline', 'departure', 'arrival'] as const;

/** The snapshot of a subscribe has the structure of a lookup's element; the types in both are rules of their own. */
function judgeSameStructure(exchange: Exchange): Sample | null {
  const body =
    exchange.operation === 'fla.subscribe' && responseOf(exchange)?.status === 200
      ? bareObjectOf(exchange)
      : null;
  if (!body) return null;
  const leg = body.latest_status_snapshot;
  const expected = `latest_status_snapshot is an object with ${structure.join(', ')}`;
  if (!isObject(leg)) {
    return sampleOf(
      'FLA-SNP-022',
      violated('structure', expected, `latest_status_snapshot is ${describeValue(leg)}`),
    );
  }
  const missing = structure.find((name) => leg[name] === undefined);
  if (missing === undefined) return sampleOf('FLA-SNP-022', holds);
  return sampleOf('FLA-SNP-022', violated('structure', expected, `${missing} is absent`));
}
