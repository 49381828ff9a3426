import { isIPv4 } from 'node:net';
import type { FlightAlertsPolicy, FlightRule } from './policy.ts';

/** The rules for callback URLs that a text breaks (Callback data, callbackUrl). */
export function brokenUrlRules(
  text: string,
  {
    hostOf,
    isInternalHost,
    schemeCase,
  }: Pick<FlightAlertsPolicy, 'hostOf' | 'isInternalHost' | 'schemeCase'>,
): readonly FlightRule[] {
  const url = URL.parse(text);
  if (!url) return ['url.valid'];
  const host = hostOf(url, text);
  const broken: FlightRule[] = [];
  const scheme = schemeCase === 'any' ? url.protocol : text.slice(0, url.protocol.length);
  if (scheme !== 'https:') broken.push('url.scheme');
  if (url.username !== '' || url.password !== '') broken.push('url.credentials');
  if (text.includes('#')) broken.push('url.fragment');
  if (host.startsWith('[')) broken.push('url.ipv6');
  else if (isIPv4(host)) broken.push('url.ipv4');
  else if (isInternalHost(host)) broken.push('url.internal');
  return broken;
}

const internalSuffixes = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'localdomain',
  'lan',
  'corp',
  'home.arpa',
];

/** Names that mean nothing outside a network: single labels and the customary internal domains. */
export function isInternalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || internalSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
}
