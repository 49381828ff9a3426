import { isObject, type JsonObject } from '../../kernel/body.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';

const endMembers = [
  'airportIata',
  'city',
  'terminal',
  'utcOffsetSeconds',
  'scheduledTime',
  'estimatedTime',
  'actualTime',
];

/** The members that are null where there is no value; `alternateInfo` is left out on purpose. */
const nullable: readonly (readonly [object: string | null, members: readonly string[]])[] = [
  [null, ['isCodeshare', 'codeshareFlightNumber', 'status']],
  ['airline', ['name', 'code']],
  ['departure', [...endMembers, 'gate', 'boardingStatus']],
  ['arrival', [...endMembers, 'baggageBelt']],
];

/** Whether a snapshot has all its members, possibly as null. */
export function judgeMissing(leg: JsonObject, at: string): Sample {
  const absent = absentMember(leg);
  if (absent === null) return sampleOf('FLA-SNP-026', holds);
  const where = `${at}.${absent}`;
  return sampleOf(
    'FLA-SNP-026',
    violated('absent', `${where} is null where there is no value`, `${where} is absent`),
  );
}

function absentMember(leg: JsonObject): string | null {
  for (const [name, members] of nullable) {
    const object = name === null ? leg : leg[name];
    const absent = isObject(object) ? members.find((member) => object[member] === undefined) : undefined;
    if (absent !== undefined) return name === null ? absent : `${name}.${absent}`;
  }
  return null;
}
