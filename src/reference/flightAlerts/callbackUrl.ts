import { isIPv4 } from 'node:net';
import type { FlightRule } from './policy.ts';

/** The rules for callback URLs that a text breaks (Callback data, callbackUrl); `isInternal` judges host names. */
export function brokenUrlRules(text: string, isInternal: (host: string) => boolean): readonly FlightRule[] {
  const url = URL.parse(text);
  if (!url) return ['url.valid'];
  const broken: FlightRule[] = [];
  if (url.protocol !== 'https:') broken.push('url.scheme');
  if (url.username !== '' || url.password !== '') broken.push('url.credentials');
  if (text.includes('#')) broken.push('url.fragment');
  if (url.hostname.startsWith('[')) broken.push('url.ipv6');
  else if (isIPv4(url.hostname)) broken.push('url.ipv4');
  else if (isInternal(url.hostname)) broken.push('url.internal');
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
