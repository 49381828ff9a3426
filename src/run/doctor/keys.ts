import type { Api } from '../../core/operations.ts';
import { describeWrongServer } from '../../engine/health/reasons.ts';
import { isOfTheApi } from '../../engine/health/signs.ts';
import { memberOf, responseOf } from '../../judge/kernel/body.ts';
import { hintFor } from '../../plan/capabilities.ts';
import type { Capability } from '../../plan/check.ts';
import type { ApiKey, SpecialKey } from '../../send/keyRing.ts';
import { fail, ok, warn, type DoctorLine } from './render.ts';
import type { Patient } from './patient.ts';
import { isUnknownPlace, seeEnd, waitText } from './target.ts';

/** Most keys of one role that are tried; more are only given if they were all issued together. */
const mostAsked = 8;

const special: readonly (readonly [key: SpecialKey, need: Capability, isRefused: boolean])[] = [
  ['revoked', 'revoked-key', true],
  ['disabled', 'disabled-key', true],
  ['noEntitlement', 'no-entitlement-key', false],
  ['suspended', 'suspended-key', false],
  ['exhausted', 'exhausted-key', false],
];

/** The first record that each key was shown, by the label of the key. */
type Shown = Map<string, string>;

/** Checks with a read request each whether every configured key is accepted or refused as it should be. */
export async function lookAtKeys(patient: Patient): Promise<readonly DoctorLine[]> {
  const { keys } = patient.run.target;
  const shown: Shown = new Map();
  const lines: DoctorLine[] = [
    ...(await lookAtActive(patient, 'primary', keys.primary, 'second-key', shown)),
    ...(await lookAtActive(patient, 'other', keys.other, 'other-enterprise', shown)),
    ...mixedUp(keys, shown),
  ];
  for (const [name, need, isRefused] of special) {
    const key = keys.special(name);
    if (key) lines.push(await lookAtOne(patient, key, isRefused));
    else lines.push(warn('keys', name, 'not given', hintFor(need), `keys.${name}`));
  }
  return lines;
}

async function lookAtActive(
  patient: Patient,
  role: 'primary' | 'other',
  keys: readonly ApiKey[],
  need: Capability,
  shown: Shown,
): Promise<readonly DoctorLine[]> {
  const lines: DoctorLine[] = [];
  for (const key of keys.slice(0, mostAsked)) lines.push(await lookAtOne(patient, key, false, shown));
  const good = lines.filter(({ health }) => health === 'ok').length;
  const bad = lines.filter(({ health }) => health !== 'ok');
  const asked = keys.length > mostAsked ? ` (the first ${mostAsked} of ${keys.length} asked)` : '';
  const isShort = keys.length < (role === 'primary' ? 2 : 1);
  return [
    ...(good > 0 ? [ok('keys', role, `${good} accepted${asked}`)] : []),
    ...bad,
    ...(isShort ? [warn('keys', role, `${keys.length} given`, hintFor(need), `keys.${role}`)] : []),
  ];
}

/** Keys of one enterprise are shown the same records, those of two never are. */
function mixedUp(
  { primary, other }: { readonly primary: readonly ApiKey[]; readonly other: readonly ApiKey[] },
  shown: Shown,
): readonly DoctorLine[] {
  const first = primary[0] && shown.get(primary[0].label);
  if (first === undefined) return [];
  const strangers = primary.filter(({ label }) => (shown.get(label) ?? first) !== first);
  const own = other.filter(({ label }) => shown.get(label) === first);
  return [
    ...strangers.map(({ label }) =>
      warn(
        'keys',
        label,
        'its newest record is another one than that of primary#1',
        'Give keys of one enterprise in GATECHECK_KEYS_PRIMARY; if somebody makes records just now, look again.',
      ),
    ),
    ...own.map(({ label }) =>
      fail(
        'keys',
        label,
        'is shown a record of primary#1',
        'Give a key of another enterprise in GATECHECK_KEYS_OTHER; if this one is, the deployment mixes them up.',
      ),
    ),
  ];
}

async function lookAtOne(
  patient: Patient,
  key: ApiKey,
  isRefused: boolean,
  shown?: Shown,
): Promise<DoctorLine> {
  const api: Api = patient.run.settings.apis.includes('webcheckin') ? 'webcheckin' : 'flight-alerts';
  const exchange = await patient.ask(api, key);
  if (exchange === null)
    return patient.ended() === null
      ? warn('keys', key.label, 'not asked: its limit is used up', waitText(patient.waitOf(key)))
      : warn('keys', key.label, 'not asked', seeEnd);
  const status = responseOf(exchange)?.status ?? null;
  if (status === null) return fail('keys', key.label, 'no answer', 'See the line about the target.');
  if (status === 429) {
    return warn('keys', key.label, 'its limit is used up (HTTP 429)', 'Let nobody else use it during a run.');
  }
  if (!isOfTheApi(exchange)) {
    const wrongServer = describeWrongServer(exchange);
    return fail(
      'keys',
      key.label,
      `HTTP ${status} says nothing of it`,
      `${patient.run.redactor.redact(wrongServer)}.`,
    );
  }
  if (status >= 500)
    return fail(
      'keys',
      key.label,
      `HTTP ${status} says nothing of it`,
      'Look into the log of the deployment.',
    );
  if (isUnknownPlace(api, status))
    return warn('keys', key.label, `HTTP ${status} says nothing of it`, 'See the line about the target.');
  const record = memberOf(exchange, 'data', 0, 'checkin_id');
  if (typeof record === 'string') shown?.set(key.label, record);
  const said = status === 401 ? 'refused (HTTP 401)' : `accepted (HTTP ${status})`;
  if ((status === 401) === isRefused) return ok('keys', key.label, said);
  return isRefused
    ? warn('keys', key.label, said, 'Give one that is refused; if this one is, the deployment is at fault.')
    : fail('keys', key.label, said, 'Give an active key of this environment.');
}
