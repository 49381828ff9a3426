import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Part,
  accepted,
  generate,
  isJsonObject,
  memberOf,
  notApplicable,
  ofAnother,
} from '../checks.ts';
import { firstPassenger, withFreshPnr } from './checkin.ts';
import { findRecord, isListed } from './listing.ts';
import { type PnrForm, bookingParts, multipart } from './multipart.ts';

/** Names that no file may have, since parts of a booking have them. */
export const reserved: ReadonlySet<string> = new Set([
  'pnr',
  'flights',
  'passengers',
  'callbackData',
  'payload',
  'type',
]);

/** The passenger with a scan of the passport in a part of this name. */
export function scanned(passenger: JsonObject, file_field: string): JsonObject {
  const { passport } = passenger;
  return { ...passenger, passport: { ...(isJsonObject(passport) ? passport : {}), file_field } };
}

/** Two passports and a visa with a scan each; the metadata stays complete. */
export function withScans(
  t: CheckContext,
  body: JsonObject,
  names: readonly string[],
  fileName: string,
  form: PnrForm,
) {
  const [first = 'a', second = 'b', third = 'c'] = names;
  const one = firstPassenger(body);
  const passengers = [
    { ...scanned(one, first), documents: [{ type: 'VISA', document_number: 'GCV12345', file_field: third }] },
    scanned(generate.companionOf(one), second),
  ];
  return multipart(t, 'wci.subscribe', [
    ...bookingParts({ ...body, passengers }, 'text/plain', form),
    generate.filePart(first, fileName),
    generate.filePart(second, fileName, 'pdf'),
    generate.filePart(third, fileName),
  ]);
}

/** One thing after the other, so that a finding names what is refused. */
export async function judgeApart(t: CheckContext, body: JsonObject, whole: Exchange): Promise<void> {
  const send = (parts: readonly Part[]) => t.send(multipart(t, 'wci.subscribe', parts));
  const plain = await send(bookingParts(withFreshPnr(t, body)));
  t.judge(plain, { 'WCI-MP-001': accepted(plain) });
  const one = firstPassenger(body);
  const passport = isJsonObject(one.passport) ? one.passport : {};
  const scan = { ...one, passport: { ...passport, file_field: 'scan1' } };
  const passports = await send([
    ...bookingParts({ ...withFreshPnr(t, body), passengers: [scan] }),
    generate.filePart('scan1', 'scan.png'),
  ]);
  t.judge(passports, { 'WCI-MP-006': accepted(passports) });
  const visa = { ...one, documents: [{ type: 'VISA', file_field: 'doc7' }] };
  const documents = await send([
    ...bookingParts({ ...withFreshPnr(t, body), passengers: [visa] }),
    generate.filePart('doc7', 'scan.png'),
  ]);
  t.judge(documents, { 'WCI-MP-007': accepted(documents) });
  const dotted = { ...one, passport: { ...passport, file_field: 'passport-scan.1' } };
  const named = await send([
    ...bookingParts({ ...withFreshPnr(t, body), passengers: [dotted] }),
    generate.filePart('passport-scan.1', 'scan.png'),
  ]);
  t.judge(named, { 'WCI-MP-008': accepted(named) });
  t.judge(whole, { 'WCI-MP-009': accepted(whole) });
}

/** Another record than the one that was repeated: without its pnr it is no repetition, with it it has to be one. */
export async function judgeOther(t: CheckContext, exchange: Exchange, pnr: string | null): Promise<void> {
  const { page, item } = await findRecord(t, textOf(memberOf(exchange, 'checkin_id')), {
    until: isListed,
  });
  const another = ofAnother('attempt', 'checkin_id', 'booking');
  if (item) t.judge([exchange, page], { 'WCI-MP-018': item.pnr === pnr ? another : notApplicable });
  t.observe('WCI-OPN-005', 'not-read', exchange);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
