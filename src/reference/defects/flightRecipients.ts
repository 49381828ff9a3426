import { isInternalName } from '../flightAlerts/callbackUrl.ts';
import { lenient } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** Mistakes in judging the callbackData of a subscribe. */
export const flightRecipientDefects: readonly Defect[] = [
  sometimes('fid-missing', 'callbackData may have no fid.', 'FLA-CBR-001', {
    enforcesFlight: lenient(
      ['fid.required', 'fid.type'],
      ({ value }) => value === undefined || value === null,
    ),
  }),
  sometimes('fid-coerced', 'A number is taken for a fid.', 'FLA-CBR-002', {
    enforcesFlight: lenient(['fid.type'], ({ value }) => typeof value === 'number'),
  }),
  sometimes('fid-boolean', 'A boolean is taken for a fid.', 'FLA-CBR-002', {
    enforcesFlight: lenient(['fid.type'], ({ value }) => typeof value === 'boolean'),
  }),
  sometimes('url-private-address', 'A callbackUrl may name an address of a private network.', 'FLA-CBR-009', {
    enforcesFlight: lenient(['url.ipv4'], ({ value }) => /\/\/(10|192\.168)\./.test(String(value))),
  }),
  sometimes('fid-empty', 'A fid may be empty.', 'FLA-CBR-003', { enforcesFlight: lenient(['fid.empty']) }),
  sometimes('fid-256', 'A fid may have 256 characters.', 'FLA-CBR-004', { longestFid: 256 }),
  sometimes('fid-254', 'A fid may have 254 characters at most.', 'FLA-CBR-005', { longestFid: 254 }),
  sometimes('fid-ascii', 'A fid with characters beyond ASCII is refused.', 'FLA-CBR-023', {
    fidLength: (fid) => (/^[ -~]*$/.test(fid) ? fid.length : Infinity),
  }),
  sometimes('fid-one-word', 'A fid with a blank is refused.', 'FLA-CBR-090', {
    fidLength: (fid) => (/\S\s+\S/.test(fid) ? Infinity : fid.length),
  }),
  sometimes('callback-data-any', 'callbackData that is no object counts as none.', 'FLA-CBR-018', {
    enforcesFlight: lenient(['callback.object']),
  }),
  sometimes('url-missing', 'callbackData may have no callbackUrl.', 'FLA-CBR-006', {
    enforcesFlight: lenient(['url.required', 'url.valid'], ({ value }) => typeof value !== 'string'),
  }),
  sometimes('url-any-text', 'Any text is taken for a callbackUrl.', 'FLA-CBR-013', {
    enforcesFlight: lenient(['url.valid'], ({ value }) => typeof value === 'string'),
  }),
  sometimes('url-http', 'A plain http callbackUrl is accepted.', 'FLA-CBR-007', {
    enforcesFlight: lenient(['url.scheme']),
  }),
  sometimes('url-password', 'A callbackUrl may hold credentials.', 'FLA-CBR-008', {
    enforcesFlight: lenient(['url.credentials']),
  }),
  sometimes('url-user-name', 'A callbackUrl may hold a user name without password.', 'FLA-CBR-008', {
    enforcesFlight: lenient(['url.credentials'], ({ value }) => !/:\/\/[^/@]*:[^/@]*@/.test(String(value))),
  }),
  sometimes(
    'url-public-address',
    'A callbackUrl may name a public address.',
    'FLA-CBR-009 also FLA-CBR-020',
    {
      enforcesFlight: lenient(
        ['url.ipv4'],
        ({ value }) => !/127\.|localhost|\/\/10\.|\/\/192\.168\./.test(String(value)),
      ),
    },
  ),
  sometimes(
    'url-address-in-disguise',
    'An address as one number or in hexadecimal is not seen.',
    'FLA-CBR-020',
    { enforcesFlight: lenient(['url.ipv4'], ({ value }) => !/\d+\.\d+\.\d+\.\d+/.test(String(value))) },
  ),
  sometimes('url-ipv6', 'A callbackUrl may name an IPv6 address.', 'FLA-CBR-010', {
    enforcesFlight: lenient(['url.ipv6']),
  }),
  sometimes('url-fragment', 'A callbackUrl may have a fragment.', 'FLA-CBR-011 also FLA-CBR-024', {
    enforcesFlight: lenient(['url.fragment']),
  }),
  sometimes('url-empty-fragment', 'An empty fragment counts as none.', 'FLA-CBR-024', {
    enforcesFlight: lenient(['url.fragment'], ({ value }) => String(value).endsWith('#')),
  }),
  sometimes('url-internal', 'A callbackUrl may name an internal host.', 'FLA-CBR-012 also FLA-CBR-021', {
    enforcesFlight: lenient(['url.internal']),
  }),
  always(
    'url-every-host-internal',
    'Every host counts as internal, so that no callback is registered.',
    'FLA-CBR-014',
    {
      isInternalHost: () => true,
    },
  ),
  sometimes('url-subdomain-internal', 'A host name with a subdomain counts as internal.', 'FLA-CBR-014', {
    isInternalHost: (host) => host.split('.').length !== 2 || isInternalName(host),
  }),
  sometimes('subscribe-null-callback', 'callbackData must not be null.', 'FLA-SUB-003 also FLA-SUB-012', {
    enforcesFlight: (rule, place) => rule === 'callback.notNull' || lenient([])(rule, place),
  }),
  sometimes(
    'callback-key-supplied',
    'A supplied auth_header is used for delivery.',
    'FLA-CBR-016 also FLA-CB-003',
    { foreignCallbackMembers: 'used' },
  ),
  sometimes('url-single-label', 'A callbackUrl may name a host of a single label.', 'FLA-CBR-012', {
    isInternalHost: (host) => host === 'localhost' || (host.includes('.') && isInternalName(host)),
  }),
  sometimes('url-root-written-out', 'A callbackUrl may name localhost with its last dot.', 'FLA-CBR-012', {
    isInternalHost: (host) => !host.endsWith('.') && isInternalName(host),
  }),
  sometimes('url-below-localhost', 'A callbackUrl may name a host below localhost.', 'FLA-CBR-012', {
    isInternalHost: (host) => !host.endsWith('.localhost') && isInternalName(host),
  }),
  sometimes('url-private-domain', 'A callbackUrl may name a host of a private domain.', 'FLA-CBR-021', {
    isInternalHost: (host) => /^[^.]+\.?$|\.localhost\.?$/.test(host),
  }),
  sometimes('url-port-refused', 'A callbackUrl with a port is refused.', 'FLA-CBR-022', {
    hostOf: (url) => (url.port === '' ? url.hostname : 'localhost'),
  }),
  sometimes('url-case-ignored', 'Callback URLs that differ in letter case are the same.', 'FLA-SUB-008', {
    sameUrl: (one, other) => one.toLowerCase() === other.toLowerCase(),
  }),
  sometimes('url-query-refused', 'A callbackUrl with a query is refused.', 'FLA-CBR-014', {
    hostOf: (url) => (url.search === '' ? url.hostname : 'localhost'),
  }),
  sometimes('url-query-ignored', 'Callback URLs that differ in the query are the same.', 'FLA-SUB-008', {
    sameUrl: (one, other) => one.split('?')[0] === other.split('?')[0],
  }),
];
