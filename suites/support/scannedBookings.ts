import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Part,
  generate,
  isJsonObject,
  memberOf,
  notApplicable,
  objectsAt,
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

const visa = { type: 'VISA', document_number: 'GCV12345' };

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
    { ...scanned(one, first), documents: [{ ...visa, file_field: third }] },
    scanned(generate.companionOf(one), second),
  ];
  return multipart(t, 'wci.subscribe', [
    ...bookingParts({ ...body, passengers }, 'text/plain', form),
    generate.filePart(first, fileName),
    generate.filePart(second, fileName, 'pdf'),
    generate.filePart(third, fileName),
  ]);
}

/** The parts of a booking with a scan of the first passport. */
export function scannedParts(body: JsonObject, form: PnrForm): readonly Part[] {
  const [first = {}, ...others] = objectsAt(body, 'passengers');
  const passengers = [scanned(first, 'scan1'), ...others];
  return [
    ...bookingParts({ ...body, passengers }, 'text/plain', form),
    generate.filePart('scan1', 'scan.png'),
  ];
}

/** One thing after the other, which tells what is refused. */
export async function sendApart(t: CheckContext, body: JsonObject, form: PnrForm): Promise<void> {
  const send = (passengers: readonly JsonObject[], ...files: readonly string[]) =>
    t.send(
      multipart(t, 'wci.subscribe', [
        ...bookingParts({ ...withFreshPnr(t, body), passengers }, 'text/plain', form),
        ...files.map((name) => generate.filePart(name, 'scan.png')),
      ]),
    );
  const one = firstPassenger(body);
  const two = generate.companionOf(one);
  await send([{ ...one, documents: [visa] }, two]);
  await send([scanned(one, 'scan1'), two], 'scan1');
  await send([{ ...one, documents: [{ ...visa, file_field: 'doc7' }] }, two], 'doc7');
  await send([scanned(one, 'passport-scan.1'), two], 'passport-scan.1');
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
