import { z } from 'zod';
import type { Breaks } from './corruptions.ts';

/** The web check-in document as strict schemas, written from it alone, against which generated bodies are held. */

const shape = /^ *(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(:(\d\d)(\.\d{1,3})?)?(Z|[+-](\d\d):?(\d\d))? *$/;

/** Why a flight clock breaks the format, or null. */
export function clockFault(text: string): string | null {
  const found = shape.exec(text);
  if (found === null) return 'shape';
  const [, year, month, day, hour, minute, , second = '0', , , offsetHour = '0', offsetMinute = '0'] = found;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > daysInMonth)
    return 'calendar';
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return 'clock';
  return Number(offsetHour) > 14 || Number(offsetMinute) > 59 ? 'offset' : null;
}

const clock = z.string().superRefine((text, context) => {
  const fault = clockFault(text);
  if (fault !== null) context.addIssue(fault);
});

const dateSchema = z.iso.date();
const country = z.string().regex(/^[A-Z]{2}$/);

export const passportSchema = z.strictObject({
  number: z.string().min(1).nullish(),
  date_of_issue: dateSchema.nullish(),
  expiry_date: dateSchema.nullish(),
  place_of_issue: z.string().min(1).nullish(),
  nationality: country.nullish(),
  document_url: z.url({ protocol: /^https$/ }).nullish(),
});

export const documentSchema = z.strictObject({
  type: z.enum(['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD']),
  document_number: z.string().min(1).nullish(),
  issuing_country: country.nullish(),
  expiry_date: dateSchema.nullish(),
  document_url: z.url({ protocol: /^https$/ }).nullish(),
});

export const seatSchema = z.strictObject({
  row_preference: z.enum(['front', 'middle', 'rear']).nullish(),
  column_preference: z.enum(['window', 'middle', 'aisle']).nullish(),
});

export const passengerSchema = z.strictObject({
  first_name: z.string().min(1),
  last_name: z.string().min(1),
  email: z.string().nullish(),
  country_code: z
    .string()
    .regex(/^\+\d{1,3}$/)
    .nullish(),
  phone: z.string().regex(/^\d+$/).nullish(),
  date_of_birth: dateSchema.nullish(),
  nationality: country.nullish(),
  country_of_residence: country.nullish(),
  passport: passportSchema.nullish(),
  documents: z.array(documentSchema).nullish(),
  seat_preference: seatSchema.nullish(),
});

/** What each corruption of a passenger breaks, in a subscribe and in an update alike. */
export const passengerBreaks: Breaks = {
  'document-without-type': 'documents.*.type',
  'document-not-object': 'documents.*',
  'documents-of-empty-lists': 'documents.*',
  'documents-of-lists': 'documents.*',
  'document-type-unknown': 'documents.*.type',
  'documents-not-array': 'documents',
  'row-preference-unknown': 'seat_preference.row_preference',
  'column-preference-unknown': 'seat_preference.column_preference',
  'passport-empty-list': 'passport',
  'seat-empty-list': 'seat_preference',
  'first_name-as-list': 'first_name',
  'last_name-as-list': 'last_name',
  'passport-not-object': 'passport',
  'seat-not-object': 'seat_preference',
  'first_name-not-text': 'first_name',
  'last_name-not-text': 'last_name',
  'second-document-type-unknown': 'documents.*.type',
  'second-document-without-type': 'documents.*.type',
};

export const passengersSchema = z.array(passengerSchema).min(1);

// Without a whole leg there is no trip to judge.
const whole = { abort: true };

const flightSchema = z.strictObject({
  airline: z
    .string()
    .min(1, whole)
    .regex(/^([A-Za-z0-9]{2}|[A-Za-z]{3})$/),
  flight_number: z.string().min(1, whole),
  origin: z
    .string()
    .min(1, whole)
    .regex(/^[A-Z]{3}$/),
  destination: z
    .string()
    .min(1, whole)
    .regex(/^[A-Z]{3}$/),
  departure_datetime: clock,
  arrival_datetime: clock.nullish(),
});

const authHeader = z.string().superRefine((text, context) => {
  const [name = '', value, ...more] = text.split(':');
  if (value === undefined) context.addIssue('no colon');
  else if (more.length > 0) context.addIssue('colons');
  else if (!['x-api-key', 'authorization'].includes(name.toLowerCase())) context.addIssue('name');
  else if (/[\r\n]/.test(text)) context.addIssue('line break');
  else if (value.trim() === '') context.addIssue('no value');
});

export const callbackSchema = z.strictObject({
  callbackUrl: z.url(),
  auth_header: authHeader,
  clientId: z.string().optional(),
  clientName: z.string().optional(),
});

/** A subscribe whose first departure is on a later date than `notBefore`. */
export function subscribeAfter(notBefore: string) {
  return z
    .strictObject({
      pnr: z.string().optional(),
      flights: z.array(flightSchema).min(1, whole),
      passengers: passengersSchema,
      callbackData: callbackSchema.nullish(),
    })
    .superRefine(({ flights }, context) => {
      const fault = tripFault(flights);
      if (fault !== null) context.addIssue(fault);
      if ((flights[0]?.departure_datetime.trim() ?? '') < notBefore) context.addIssue('past');
    });
}

export const subscribeSchema = subscribeAfter('');

function tripFault(flights: readonly z.infer<typeof flightSchema>[]): string | null {
  if (flights.some(({ airline }) => airline !== flights[0]?.airline)) return 'airlines';
  if (flights.some(({ origin, destination }) => origin === destination)) return 'route';
  if (flights.some(({ origin }) => ['QQQ', 'JQQ'].includes(origin))) return 'airport';
  const broken = flights.some(({ origin }, at) => at > 0 && flights[at - 1]?.destination !== origin);
  return broken ? 'connection' : null;
}

const payloadSchema = z.strictObject({
  passengers: passengersSchema.optional(),
  pnr: z.string().min(1).optional(),
});

export const updateSchema = z
  .strictObject({
    checkin_id: z.string().min(1).optional(),
    webcheckin_id: z.string().min(1).optional(),
    booking_id: z.union([z.int(), z.string().regex(/^\d+$/)]).optional(),
    type: z.enum(['passengers', 'pnr']).optional(),
    operation: z.literal('update').optional(),
    passengers: passengersSchema.optional(),
    payload: payloadSchema.optional(),
    // Not read, so it is no fault by itself.
    pnr: z.unknown().optional(),
  })
  .superRefine((body, context) => {
    const identified = [body.checkin_id, body.webcheckin_id, body.booking_id].some((id) => id !== undefined);
    if (!identified) context.addIssue('identifier');
    if (body.type === 'pnr' && body.payload?.pnr === undefined) context.addIssue('payload.pnr');
    const passengers = body.passengers ?? body.payload?.passengers;
    if (body.type !== 'pnr' && passengers === undefined) context.addIssue('no passengers');
  });

/** What a list of valid passengers lacks for readiness, in the words of the passport and email rules. */
export function lacks(
  passengers: z.infer<typeof passengersSchema>,
  international: boolean,
): readonly string[] {
  const fields = ['number', 'date_of_issue', 'expiry_date', 'place_of_issue'] as const;
  const ofPassport = passengers.flatMap((passenger) => [
    ...fields.filter((field) => !passenger.passport?.[field]),
    ...(passenger.passport?.nationality || passenger.nationality ? [] : ['nationality']),
  ]);
  const email = passengers.some((passenger) => z.email().safeParse(passenger.email).success) ? [] : ['email'];
  return [...new Set([...(international ? ofPassport : []), ...email])];
}
