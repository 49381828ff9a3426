import type { AuthCodes, AuthFailure, SharedPolicy } from './policy.ts';
import { rollingLog } from './windowCounters.ts';
import { invalid, type Refusal } from './refusal.ts';
import { parsePart } from './body.ts';

export const documentedSharedPolicy: SharedPolicy = {
  presentedKey: (request) => request.headers.get('x-api-key'),
  matchKey: (presented, keys) => keys.find(presented),
  admitsKey: (key) => key.state === 'active',
  revocationTakes: 'the key',
  outlives: () => false,
  needsKey: () => true,
  refusesKeyLate: () => false,
  keyFirst: () => true,
  unauthorizedBody: (failure, { api }, codes) =>
    api === 'webcheckin' ? codedUnauthorized(failure, codes) : textUnauthorized(failure),
  authCodes: {
    missing: 'API_KEY_REQUIRED',
    unknown: 'INVALID_API_KEY',
    revoked: 'INVALID_API_KEY',
    disabled: 'INVALID_API_KEY',
  },
  minuteCounter: rollingLog,
  hourCounter: rollingLog,
  sharesHour: false,
  limits: (configured) => configured,
  limitScope: (caller) => caller.key.value,
  throttles: () => true,
  counts: () => true,
  surcharge: () => 0,
  countsRefused: false,
  limitsStage: 'first',
  atomicAdmission: true,
  retryAfter: (waitMs) => Math.max(1, Math.ceil(waitMs / 1000)),
  throttleStatus: 429,
  throttleHeaders: () => ({}),
  throttleCode: 'RATE_LIMITED',
  throttlesUnknownKeys: false,
  errorHeaders: () => ({}),
  errorBody: standardErrorBody,
  noteOnError: (body) => body,
  dateShown: (now) => now,
  parseQuery: (text) => new URLSearchParams(text),
  unknownMembers: 'ignored',
  foreignContentType: () => undefined,
  readsParts: () => true,
  front: (_request, answer) => answer(),
  chunkedBody: (request) => Promise.resolve(request),
  bareContentType: false,
  jsonBody: (value) => value,
  brokenJson: () => invalid('The body is not valid JSON.'),
  acceptsFile: () => true,
  partValue: (part, json) => (json ? parsePart(part.name, part.text) : part.text),
};

/** `success`, `error`, `message`, and context where it is relevant (Errors). */
export function standardErrorBody(refusal: Refusal): Record<string, unknown> {
  return { success: false, error: refusal.code, message: refusal.message, ...refusal.extra };
}

export const unauthorizedText: Readonly<Record<AuthFailure, string>> = {
  missing: 'API key required',
  unknown: 'Invalid API key',
  revoked: 'Invalid API key',
  disabled: 'Invalid API key',
};

/** An authentication failure with a human-readable `error` (Flight Alerts, Authentication 2). */
export function textUnauthorized(failure: AuthFailure): Record<string, unknown> {
  return {
    success: false,
    error: unauthorizedText[failure],
    message: 'Send an active key in the X-API-Key header.',
  };
}

/** An authentication failure with a code in `error` (Web Check-in, Errors). */
export function codedUnauthorized(failure: AuthFailure, codes: AuthCodes): Record<string, unknown> {
  return {
    success: false,
    error: codes[failure],
    message: unauthorizedText[failure],
  };
}
