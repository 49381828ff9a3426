import type { Delivery } from '../../core/evidence.ts';
import { holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';
import type { AuthHeader, WebhookRegistration } from './webhookRegistration.ts';

/** The headers by which a webhook may be authorized. */
const authNames = ['x-api-key', 'authorization'];

type Registered = readonly WebhookRegistration[];

/** The configured header is there (its name in any case), with a value of its own. */
export function carriesHeader(
  delivery: Delivery,
  registered: Registered,
  others: Registered = [],
): Judgement {
  const headers = configuredOf(registered);
  if (headers.length === 0) return unclear('the registered auth_header has no name');
  const present = headers.filter(({ name }) => valuesOf(delivery, name).length > 0);
  const [first] = headers;
  if (present.length === 0)
    return violated('absent', `the header ${first?.name ?? ''}`, `headers ${namesOf(delivery)}`);
  const isOthers = present.every(({ name }) =>
    valuesOf(delivery, name).every((sent) =>
      configuredOf(others).some((other) => isSent(other.value, sent) && !isConfigured(sent, headers)),
    ),
  );
  return isOthers
    ? violated('foreign', 'the value of this registration', 'the value of another registration')
    : holds;
}

/** The value is there as it was configured, byte for byte. Nothing is said where the header is absent. */
export function keepsValue(delivery: Delivery, registered: Registered): Judgement {
  const headers = configuredOf(registered).filter(({ name }) => valuesOf(delivery, name).length > 0);
  const [first] = headers;
  if (!first) return unclear('the configured header is absent');
  const kept = headers.some(({ name, value }) =>
    valuesOf(delivery, name).some((sent) => isSent(value, sent)),
  );
  if (kept) return holds;
  const [sent = ''] = valuesOf(delivery, first.name);
  return violated('altered', `the configured value of ${first.name}`, alterationOf(first.value, sent));
}

/** Of the two headers only the configured one is there. */
export function sendsNoOtherHeader(delivery: Delivery, registered: Registered): Judgement {
  const configured = configuredOf(registered).map(({ name }) => name.toLowerCase());
  if (configured.length === 0) return unclear('the registered auth_header has no name');
  const stray = authNames.find((name) => !configured.includes(name) && valuesOf(delivery, name).length > 0);
  return stray === undefined
    ? holds
    : violated('both', `no header but ${configured.join(', ')}`, `a header ${stray} as well`);
}

function configuredOf(registered: Registered): readonly AuthHeader[] {
  return registered.flatMap(({ header }) => (header ? [header] : []));
}

function valuesOf({ headers }: Delivery, wanted: string): readonly string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted.toLowerCase()).map(([, value]) => value);
}

function isConfigured(sent: string, headers: readonly AuthHeader[]): boolean {
  return headers.some(({ value }) => isSent(value, sent));
}

/** Characters beyond ASCII may be sent as UTF-8 or Latin-1: no document says which. */
function isSent(configured: string, sent: string): boolean {
  const value = sent.trim();
  return value === configured || value === Buffer.from(configured, 'utf8').toString('latin1');
}

/** How a value was altered, without the value: an altered secret is still a secret. */
function alterationOf(configured: string, sent: string): string {
  if (sent.includes(configured)) return `the same value ${between(sent.split(configured))}`;
  if (sent.toLowerCase() === configured.toLowerCase()) return 'the same value in other letter case';
  if (configured === `"${sent}"`) return 'the same value without quotation marks';
  const scheme = configured.endsWith(sent) ? /^\w{1,10} +$/.exec(configured.slice(0, -sent.length))?.[0] : '';
  if (scheme) return `the same value without ${JSON.stringify(scheme)} before it`;
  if (configured.includes(sent)) return 'a part of it';
  if (unspaced(sent) === unspaced(configured)) return 'the same value with other white space';
  if (unescaped(sent) === configured) return 'the same value with characters escaped or encoded';
  return sent.length === configured.length
    ? `another value of the same length, ${sent.length} characters`
    : `another value, of ${sent.length} characters instead of ${configured.length}`;
}

function between([before = '', ...rest]: readonly string[]): string {
  const after = rest.join('');
  return [
    ...(before === '' ? [] : [`after ${JSON.stringify(before)}`]),
    ...(after === '' ? [] : [`before ${JSON.stringify(after)}`]),
  ].join(' and ');
}

function unspaced(text: string): string {
  return text.replace(/\s+/g, '');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text).replace(/\\(.)/g, '$1');
  } catch {
    return text;
  }
}

function namesOf({ headers }: Delivery): string {
  return headers.map(([name]) => name).join(', ');
}
