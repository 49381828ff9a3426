import { type CheckContext, isJsonType } from '../checks.ts';
import { bookingOfItsOwn } from './departures.ts';
import { oddAddress } from './fids.ts';
import { bookingParts, multipart, pnrForm } from './multipart.ts';
import { type HookOptions, type WebhookForm, unusualForm } from './webhooks.ts';

/** The class of a Content-Type, as the open point names it. */
export function contentTypeOf(type: string): string {
  return isJsonType(type) ? 'application/json' : 'other';
}

/** A form in which an address and its credentials can be registered. */
interface Form extends WebhookForm {
  readonly name: string;
  readonly isAscii: boolean;
  readonly isMultipart: boolean;
  /** Whether it may be refused for what the documents do not limit. */
  readonly isExtreme: boolean;
}

/** The finding shows which of the things that a form carries was altered. */
export const forms: readonly Form[] = [
  {
    name: 'spaces, marks and a query',
    ...unusualForm,
    isAscii: true,
    isMultipart: false,
    isExtreme: false,
  },
  {
    name: 'beyond ASCII',
    below: '/h%C3%A9',
    authHeader: (token) => `x-api-key: ${token}-é§`,
    isAscii: false,
    isMultipart: false,
    isExtreme: false,
  },
  {
    name: 'escapes of escapes, repeated parameters and a plus sign',
    below: oddAddress,
    authHeader: (token) => `Authorization: ${token}`,
    isAscii: true,
    isMultipart: false,
    isExtreme: false,
  },
  // Longer than the 255 characters of many a column; tokens of this length are common.
  {
    name: 'long',
    below: `/${'hook-'.repeat(60)}?token=${'0123456789'.repeat(12)}`,
    authHeader: (token) => `Authorization: Bearer ${token}.${'aB3-_x'.repeat(100)}`,
    isAscii: true,
    isMultipart: false,
    isExtreme: true,
  },
  {
    name: 'multipart',
    // A part is no form field of a page: nothing in it is decoded.
    below: oddAddress,
    authHeader: (token) => `X-API-Key: ${token}+%41`,
    isAscii: true,
    isMultipart: true,
    isExtreme: false,
  },
  {
    name: 'multipart, beyond ASCII',
    below: '',
    authHeader: (token) => `X-API-Key: ${token}-\u00e9\u00a7`,
    isAscii: false,
    isMultipart: true,
    isExtreme: false,
  },
];

/** How a form is subscribed. */
export async function optionsOf(
  t: CheckContext,
  { isMultipart, below, authHeader }: Form,
): Promise<HookOptions> {
  const plain = { below, authHeader: authHeader(t.identities.authValue()) };
  if (!isMultipart) return plain;
  // A pnr that is not read from a multipart body makes no booking another one.
  const body = await bookingOfItsOwn(t);
  const form = await pnrForm(t);
  const send: HookOptions['send'] = (one, key) =>
    multipart(t, 'wci.subscribe', bookingParts(one, 'text/plain', form), { key });
  return { ...plain, body, send };
}
