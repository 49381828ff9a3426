import { demanding, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

/** Mistakes in registering status webhooks. */
export const checkinCallbackDefects: readonly Defect[] = [
  sometimes(
    'webhook-without-url',
    'callbackData without callbackUrl registers nothing.',
    { enforces: skipping('callback.url.required') },
    ['WCI-CBR-001'],
    ['WCI-CBR-003', 'WCI-CBR-017'],
  ),
  sometimes(
    'webhook-without-header',
    'callbackData without auth_header registers nothing.',
    { enforces: skipping('callback.auth.required') },
    ['WCI-CBR-002'],
    ['WCI-CBR-018'],
  ),
  sometimes(
    'webhook-url-any',
    'Any text is taken for a callbackUrl.',
    { enforces: skipping('callback.url.uri') },
    ['WCI-CBR-003'],
  ),
  sometimes(
    'webhook-https-enforced',
    'A plain http callbackUrl is refused.',
    { enforces: demanding('callback.url.https') },
    ['WCI-CBR-004'],
  ),
  sometimes(
    'webhook-header-authorization',
    'The header Authorization is refused.',
    { authHeaderNames: ['x-api-key'] },
    ['WCI-CBR-006'],
    ['WCI-CBR-007'],
  ),
  sometimes(
    'webhook-header-case',
    'The header name must be spelled exactly.',
    { enforces: demanding('callback.auth.nameCase') },
    ['WCI-CBR-007'],
  ),
  sometimes(
    'webhook-header-any',
    'Any header name is accepted.',
    { enforces: skipping('callback.auth.name') },
    ['WCI-CBR-008'],
  ),
  sometimes(
    'webhook-header-no-colon',
    'An auth_header without colon registers nothing.',
    { enforces: skipping('callback.auth.colon', ({ index }) => index < 1) },
    ['WCI-CBR-009'],
  ),
  sometimes(
    'webhook-header-two-colons',
    'An auth_header is split at its first colon.',
    { enforces: skipping('callback.auth.colon', ({ index }) => index > 1) },
    ['WCI-CBR-010'],
  ),
  sometimes(
    'webhook-header-empty',
    'An auth_header may have no value.',
    { enforces: skipping('callback.auth.value') },
    ['WCI-CBR-011'],
  ),
  sometimes(
    'webhook-header-breaks',
    'An auth_header may hold line breaks.',
    { enforces: skipping('callback.auth.breaks') },
    ['WCI-CBR-012'],
  ),
  sometimes(
    'webhook-header-trimmed',
    'An auth_header is trimmed before line breaks are looked for.',
    { readAuthHeader: (text) => text.trim() },
    ['WCI-CBR-012'],
  ),
  sometimes(
    'webhook-header-api-key',
    'The header X-API-Key is refused.',
    { authHeaderNames: ['authorization'] },
    ['WCI-CBR-005'],
  ),
  sometimes(
    'webhook-client-refused',
    'clientId and clientName are refused.',
    { enforces: demanding('callback.client.none') },
    ['WCI-CBR-015'],
  ),
];
