import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import { alsoEnforcing, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

/** Mistakes in registering status webhooks. */
export const checkinCallbackDefects: readonly Defect[] = [
  sometimes(
    'webhook-without-url',
    'callbackData without callbackUrl registers nothing.',
    'WCI-CBR-001 also WCI-CBR-003 WCI-CBR-017',
    { enforces: skipping('callback.url.required') },
  ),
  sometimes(
    'webhook-without-header',
    'callbackData without auth_header registers nothing.',
    'WCI-CBR-002 also WCI-CBR-018 WCI-MP-003',
    { enforces: skipping('callback.auth.required') },
  ),
  sometimes('webhook-url-any', 'Any text is taken for a callbackUrl.', 'WCI-CBR-003', {
    enforces: skipping('callback.url.uri'),
  }),
  sometimes('webhook-https-enforced', 'A plain http callbackUrl is refused.', 'WCI-CBR-004', {
    enforces: alsoEnforcing('callback.url.https'),
  }),
  sometimes(
    'webhook-url-plain',
    'A callbackUrl with a port or a query is refused.',
    'WCI-CBR-004 also WCI-CBR-022',
    {
      enforces: alsoEnforcing('callback.url.plain'),
    },
  ),
  sometimes(
    'webhook-header-authorization',
    'The header Authorization is refused.',
    'WCI-CBR-006 also WCI-CBR-007',
    { authHeaderNames: ['x-api-key'] },
  ),
  sometimes('webhook-header-case', 'The header name must be spelled exactly.', 'WCI-CBR-007', {
    enforces: alsoEnforcing('callback.auth.nameCase'),
  }),
  sometimes('webhook-header-any', 'Any header name is accepted.', 'WCI-CBR-008 also WCI-MP-003', {
    enforces: skipping('callback.auth.name'),
  }),
  sometimes(
    'webhook-header-longer-name',
    'A header name that begins with one that is allowed is accepted.',
    'WCI-CBR-008',
    { authHeaderNames: [...documentedWebCheckinPolicy.authHeaderNames, 'x-api-keys', 'x-api-key-2'] },
  ),
  sometimes(
    'webhook-header-prefixed-name',
    'A header name that ends with one that is allowed is accepted.',
    'WCI-CBR-008',
    {
      authHeaderNames: [
        ...documentedWebCheckinPolicy.authHeaderNames,
        'proxy-authorization',
        'old-x-api-key',
      ],
    },
  ),
  sometimes('webhook-header-no-colon', 'An auth_header without colon registers nothing.', 'WCI-CBR-009', {
    enforces: skipping('callback.auth.colon', ({ index }) => index < 1),
  }),
  sometimes('webhook-header-two-colons', 'An auth_header is split at its first colon.', 'WCI-CBR-010', {
    enforces: skipping('callback.auth.colon', ({ index }) => index > 1),
  }),
  sometimes('webhook-header-empty', 'An auth_header may have no value.', 'WCI-CBR-011', {
    enforces: skipping('callback.auth.value'),
  }),
  sometimes('webhook-header-breaks', 'An auth_header may hold line breaks.', 'WCI-CBR-012', {
    enforces: skipping('callback.auth.breaks'),
  }),
  sometimes(
    'webhook-header-trimmed',
    'An auth_header is trimmed before line breaks are looked for.',
    'WCI-CBR-012',
    { readAuthHeader: (text) => text.trim() },
  ),
  sometimes('webhook-header-cut', 'An auth_header is cut after 255 characters.', 'WCI-CB-006', {
    readAuthHeader: (text) => text.slice(0, 255),
  }),
  sometimes('webhook-header-api-key', 'The header X-API-Key is refused.', 'WCI-CBR-005', {
    authHeaderNames: ['authorization'],
  }),
  sometimes('webhook-client-refused', 'clientId and clientName are refused.', 'WCI-CBR-015', {
    enforces: alsoEnforcing('callback.client.none'),
  }),
  sometimes('webhook-url-https-port', 'An https callbackUrl must not have a port.', 'WCI-CBR-022', {
    enforces: alsoEnforcing('callback.url.plain', ({ value }) => /^https:\/\/[^/]*:\d/.test(String(value))),
  }),
];
