import { isObject, objectOf, responseOf, type Json, type JsonObject } from '../body.ts';
import { shownLegs, type ShownLeg } from '../flight.ts';
import type { Oracle, OracleJudgement } from '../oracle.ts';
import { describeValue } from '../rule.ts';
import { breaks, keeps, undecided } from '../sample.ts';
import { alternateRules, clockRule, offsetRule, snapshotRules } from './snapshotRules.ts';
import type { Exchange } from '../../core/evidence.ts';

/** Every leg snapshot, in a lookup or in a subscribe. */
export const snapshot: Oracle = {
  id: 'snapshot',
  title: 'A leg snapshot has its documented members with their types',
  verifies: [
    ...[...snapshotRules, ...Object.values(alternateRules), offsetRule, clockRule].map(
      ({ requirement }) => requirement,
    ),
    'FLA-SNP-012',
    'FLA-SNP-022',
    'FLA-SNP-026',
  ],
  createOracle: () => (exchange) => [
    ...shownLegs(exchange).flatMap(judgeLeg),
    ...judgeSameStructure(exchange),
  ],
};

function judgeLeg({ at, leg }: ShownLeg): readonly OracleJudgement[] {
  const samples = snapshotRules.map(({ judge }) => judge(leg, at));
  samples.push(...judgeAlternate(leg, at), judgeMissing(leg, at));
  const ends = (['departure', 'arrival'] as const).filter((end) => isObject(leg[end]));
  for (const end of ends) {
    samples.push(judgeOffset(leg[end], `${at}.${end}`), clockRule.judge(leg[end], `${at}.${end}`));
  }
  const code = judgeAirlineCode(leg, at);
  return code ? [...samples, code] : samples;
}

/** null and an empty array are ways to say that none was received. */
function judgeAlternate({ alternateInfo }: JsonObject, at: string): readonly OracleJudgement[] {
  if (alternateInfo === undefined || alternateInfo === null) return [];
  const items = alternateRules.items.judge({ alternateInfo }, at);
  if (items.judgement.status !== 'holds' || !Array.isArray(alternateInfo)) return [items];
  const clocks = alternateInfo
    .flatMap((item: JsonObject) => [item.departure, item.arrival])
    .filter(isObject)
    .map((end) => clockRule.judge(end, `${at}.alternateInfo`));
  return [items, alternateRules.ends.judge({ alternateInfo }, at), ...clocks];
}

function judgeOffset(end: Json | undefined, at: string): OracleJudgement {
  const sample = offsetRule.judge(end, at);
  const seconds = isObject(end) ? Number(end.utcOffsetSeconds ?? 0) : 0;
  const mayBeHours = seconds !== 0 && !(Math.abs(seconds) > 14);
  if (sample.judgement.status !== 'holds' || !mayBeHours) return sample;
  return undecided(
    offsetRule.requirement,
    `${at}.utcOffsetSeconds is ${describeValue(seconds)}, which may be hours`,
  );
}

const optional: Readonly<Record<string, readonly string[]>> = {
  airline: ['name', 'code'],
  departure: [
    'airportIata',
    'city',
    'terminal',
    'utcOffsetSeconds',
    'scheduledTime',
    'estimatedTime',
    'actualTime',
    'gate',
    'boardingStatus',
  ],
  arrival: [
    'airportIata',
    'city',
    'terminal',
    'utcOffsetSeconds',
    'scheduledTime',
    'estimatedTime',
    'actualTime',
    'baggageBelt',
  ],
};

function judgeMissing(leg: JsonObject, at: string): OracleJudgement {
  const absent =
    ['isCodeshare', 'codeshareFlightNumber', 'status'].find((name) => leg[name] === undefined) ??
    Object.entries(optional)
      .flatMap(([end, names]) => {
        const object = leg[end];
        return isObject(object)
          ? names.filter((name) => object[name] === undefined).map((name) => `${end}.${name}`)
          : [];
      })
      .at(0);
  if (absent === undefined) return keeps('FLA-SNP-026');
  return breaks(
    'FLA-SNP-026',
    'absent',
    `${at}.${absent} is null where there is no value`,
    `${at}.${absent} is absent`,
  );
}

/** Two letters followed by digits are split in one way only. */
function judgeAirlineCode({ flightNumber, airline }: JsonObject, at: string): OracleJudgement | null {
  const letters =
    typeof flightNumber === 'string' ? /^\s*([A-Z]{2})[ -]*\d{1,4}\s*$/i.exec(flightNumber)?.[1] : undefined;
  const code = isObject(airline) ? airline.code : undefined;
  if (letters === undefined || typeof code !== 'string' || code.trim() === '' || code === '0') return null;
  if (code.trim().toUpperCase() === letters.toUpperCase()) return keeps('FLA-SNP-012');
  const actual = `${at}.airline.code is ${describeValue(code)} for flightNumber ${describeValue(flightNumber)}`;
  return breaks('FLA-SNP-012', 'airline', `airline.code is ${letters.toUpperCase()} or null`, actual);
}

const containers = ['stopover', 'airline', 'departure', 'arrival'] as const;

/** The snapshot of a subscribe has the structure of a lookup's element. */
function judgeSameStructure(exchange: Exchange): readonly OracleJudgement[] {
  const body =
    exchange.operation === 'fla.subscribe' && responseOf(exchange)?.status === 200
      ? objectOf(exchange)
      : null;
  if (!body) return [];
  const leg = body.latest_status_snapshot;
  const expected = `latest_status_snapshot is an object with flightNumber, ${containers.join(', ')}`;
  if (!isObject(leg)) {
    return [breaks('FLA-SNP-022', 'structure', expected, `latest_status_snapshot is ${describeValue(leg)}`)];
  }
  const strange =
    containers.find((name) => !isObject(leg[name])) ??
    (leg.flightNumber === undefined ? 'flightNumber' : null);
  if (strange === null) return [keeps('FLA-SNP-022')];
  return [breaks('FLA-SNP-022', 'structure', expected, `${strange} is ${describeValue(leg[strange])}`)];
}
