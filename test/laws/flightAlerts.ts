import { z } from 'zod';

/** The flight alerts document as strict schemas, written from it alone, against which generated requests are held. */

const flightNumber = z.string().superRefine((text, context) => {
  const cleaned = text.toUpperCase().replaceAll(/[ -]/g, '');
  const trimmed = cleaned.replace(/^([A-Z]{2})0+(?=\d)/, '$1');
  if (!/^[A-Z0-9]{2,3}\d{1,4}$/.test(trimmed)) context.addIssue('grammar');
});

function departureDate(today: string) {
  return z.string().superRefine((text, context) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(text)) context.addIssue('form');
    else if (!z.iso.date().safeParse(text).success) context.addIssue('calendar');
    else if (text < today) context.addIssue('past');
  });
}

const airport = z.string().superRefine((text, context) => {
  if (!/^[A-Z]{3}$/.test(text.trim().toUpperCase())) context.addIssue('letters');
});

const callbackUrl = z.string().superRefine((text, context) => {
  const fault = urlFault(text);
  if (fault !== null) context.addIssue(fault);
});

function urlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'no url';
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== 'https:') return 'scheme';
  if (username !== '' || password !== '') return 'credentials';
  if (text.includes('#')) return 'fragment';
  if (hostname.startsWith('[')) return 'ipv6';
  if (/^[\d.]+$/.test(hostname)) return 'ipv4';
  const name = hostname.replace(/\.$/, '');
  const isPrivate = /(^|\.)(localhost|local|internal|home\.arpa)$/.test(name);
  return isPrivate || !name.includes('.') ? 'internal' : null;
}

export const flightCallbackSchema = z.strictObject({
  fid: z.string().min(1, 'empty').max(255, 'too long'),
  callbackUrl,
});

export function lookupSchema(today: string) {
  return z.strictObject({ flightNumber, departureDate: departureDate(today) });
}

export function flightSubscribeSchema(today: string) {
  return z.strictObject({
    flightNumber,
    departureDate: departureDate(today),
    departureAirportIata: airport,
    arrivalAirportIata: airport,
    callbackData: flightCallbackSchema.nullish(),
  });
}
