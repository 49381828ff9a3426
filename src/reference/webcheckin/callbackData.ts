import { isMissing, isObject, type Inspection } from './inspection.ts';
import type { Callback } from './records.ts';

/** Judges `callbackData` (Callback data) and reads the webhook that it registers; null for none. */
export function inspectCallbackData(value: unknown, inspection: Inspection): Callback | null {
  inspection.require(value !== null, 'callback.notNull', 'callbackData must not be null.');
  if (isMissing(value)) return null;
  const text = 'callbackData must be an object or null.';
  if (!inspection.require(isObject(value), 'callback.object', text)) return null;
  const data = value as Readonly<Record<string, unknown>>;
  const url = inspectUrl(data.callbackUrl, inspection);
  const header = inspectAuthHeader(data.auth_header, inspection);
  inspectClient(data, inspection);
  return url !== null && header ? { url, ...header } : null;
}

function inspectUrl(value: unknown, inspection: Inspection): string | null {
  const given = typeof value === 'string' && value !== '';
  if (!inspection.require(given, 'callback.url.required', 'callbackData.callbackUrl is required.', { value }))
    return null;
  const url = URL.parse(value as string);
  const isPlain = url === null || (url.port === '' && url.search === '');
  inspection.require(isPlain, 'callback.url.plain', 'callbackData.callbackUrl is too long.', { value });
  const holds = url !== null && /^https?:$/.test(url.protocol);
  if (!inspection.require(holds, 'callback.url.uri', 'callbackData.callbackUrl is not an HTTP(S) URI.'))
    return null;
  const secure = url?.protocol === 'https:';
  inspection.require(secure, 'callback.url.https', 'callbackData.callbackUrl must use HTTPS.');
  return value as string;
}

type AuthHeader = Pick<Callback, 'headerName' | 'headerValue'>;

function inspectAuthHeader(value: unknown, inspection: Inspection): AuthHeader | null {
  const given = typeof value === 'string';
  if (
    !inspection.require(given, 'callback.auth.required', 'callbackData.auth_header is required.', { value })
  )
    return null;
  const line = inspection.policy.readAuthHeader(value as string);
  const breaks = 'auth_header must not hold line breaks.';
  inspection.require(!/[\r\n]/.test(line), 'callback.auth.breaks', breaks, { value });
  const parts = line.split(':');
  const text = 'auth_header must have the form <Header-Name>: <Header-Value> with exactly one colon.';
  const split = inspection.require(parts.length === 2, 'callback.auth.colon', text, {
    index: parts.length - 1,
  });
  if (!split && parts.length < 2) return null;
  return inspectHeaderParts(parts[0] ?? '', parts.slice(1).join(':'), inspection);
}

function inspectHeaderParts(rawName: string, rawValue: string, inspection: Inspection): AuthHeader {
  const loose = inspection.policy.authHeaderCorners === 'accepted';
  const headerName = loose ? rawName.trim() : rawName;
  const headerValue = loose ? rawValue.replace(/^ /, '') : rawValue.trim();
  const allowed = inspection.policy.authHeaderNames.includes(headerName.toLowerCase());
  inspection.require(allowed, 'callback.auth.name', 'auth_header must be X-API-Key or Authorization.');
  const exact = ['X-API-Key', 'Authorization'].includes(headerName);
  inspection.require(exact, 'callback.auth.nameCase', 'auth_header must be X-API-Key or Authorization.');
  const filled = headerValue !== '' && (loose || !hasControls(headerValue));
  inspection.require(filled, 'callback.auth.value', 'auth_header must have a value.');
  return { headerName, headerValue };
}

/** Control characters other than line breaks, which have a rule of their own. */
function hasControls(value: string): boolean {
  return Array.from(value).some((character) => character < ' ' && !/[\r\n]/.test(character));
}

function inspectClient(data: Readonly<Record<string, unknown>>, inspection: Inspection): void {
  for (const field of ['clientId', 'clientName']) {
    const value = data[field];
    const none = `callbackData.${field} is not known.`;
    inspection.require(isMissing(value), 'callback.client.none', none, { field });
    if (isMissing(value)) {
      if (inspection.policy.clientIdentity === 'required')
        inspection.note('callback', `callbackData.${field} is required.`);
    } else if (inspection.policy.clientTypes === 'refused') {
      const text = `callbackData.${field} must be a string.`;
      inspection.require(typeof value === 'string', 'callback.client.type', text, { field });
    }
  }
}
