import type { OperationId } from '../../core/operations.ts';
import { standardErrorBody, textUnauthorized } from '../shared/documented.ts';
import { Refusal } from '../shared/refusal.ts';
import { omit } from './omit.ts';
import { skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('shared');

type When = (refusal: Refusal, operation: OperationId) => boolean;
type Body = Record<string, unknown>;

/** The standard error body, changed where `when` holds. */
function changed(when: When, change: (body: Body) => unknown) {
  return (refusal: Refusal, operation: OperationId) => {
    const body = standardErrorBody(refusal);
    return when(refusal, operation) ? change(body) : body;
  };
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const isCheckin = (operation: OperationId) => operation.startsWith('wci');
const without = (member: string) => (body: Body) => omit(body, member);

/** Mistakes in error answers. */
export const errorDefects: readonly Defect[] = [
  sometimes('error-404-without-success', 'A web check-in 404 has no success member.', 'SHR-ERR-002', {
    errorBody: changed(({ status }, operation) => status === 404 && isCheckin(operation), without('success')),
  }),
  sometimes(
    'error-success-as-text',
    'success of a refused update is the string "false".',
    'SHR-ERR-002 also WCI-UPD-038',
    {
      errorBody: changed(
        (_refusal, operation) => operation === 'wci.update',
        (body) => ({ ...body, success: 'false' }),
      ),
    },
  ),
  sometimes(
    'error-nested',
    'The status operation nests code and message in an error object.',
    'SHR-ERR-003 also SHR-ERR-004 SHR-ERR-007 SHR-ERR-009 WCI-STS-003 WCI-STS-004 WCI-SCP-001',
    {
      errorBody: changed(
        (_refusal, operation) => operation === 'wci.status',
        (body) => ({ success: false, error: { code: body.error, message: body.message } }),
      ),
    },
  ),
  sometimes('error-422-without-message', 'A journey rejection has no message.', 'SHR-ERR-004', {
    errorBody: changed(({ status }) => status === 422, without('message')),
  }),
  sometimes(
    'error-422-own-code',
    'A journey rejection has a code of its own.',
    'SHR-ERR-010 also WCI-JRN-001 WCI-CBR-013 WCI-UPD-042 WCI-DT-021 WCI-DT-030 WCI-JRN-004 WCI-JRN-006 WCI-JRN-007',
    {
      errorBody: changed(
        ({ status }) => status === 422,
        (body) => ({ ...body, error: 'JOURNEY_REJECTED' }),
      ),
    },
  ),
  sometimes(
    'error-404-own-code',
    'An update of an unknown record has a code of its own.',
    'SHR-ERR-009 also WCI-UPD-008 WCI-UPD-009 WCI-SCP-002 WCI-SCP-003 WCI-MP-019',
    {
      errorBody: changed(
        ({ status }, operation) => status === 404 && operation === 'wci.update',
        (body) => ({ ...body, error: 'CHECKIN_NOT_FOUND' }),
      ),
    },
  ),
  always(
    'error-400-own-code',
    'Web check-in validation errors have a code of their own.',
    'SHR-ERR-007 also SHR-ERR-012 SHR-ERR-013 WCI-CBR-013 WCI-DT-005 WCI-DT-015 WCI-DT-016 WCI-DT-017 WCI-DT-018 WCI-DT-020 WCI-DT-023 WCI-DT-031 WCI-DT-032 WCI-DT-034 WCI-JRN-016 WCI-JRN-017 WCI-MP-004 WCI-MP-005 WCI-STS-003 WCI-SUB-024 WCI-SUB-025 WCI-SUB-026 WCI-SUB-027 WCI-SUB-028 WCI-SUB-029 WCI-SUB-030 WCI-SUB-031 WCI-SUB-032 WCI-SUB-033 WCI-SUB-037 WCI-SUB-038 WCI-SUB-039 WCI-SUB-047 WCI-SUB-048 WCI-SUB-052 WCI-SUB-055 WCI-SUB-056 WCI-SUB-058 WCI-UPD-007 WCI-UPD-015 WCI-UPD-016 WCI-UPD-017 WCI-UPD-020 WCI-UPD-022 WCI-UPD-023 WCI-UPD-024 WCI-UPD-025 WCI-UPD-048 WCI-UPD-049 WCI-MP-020 WCI-RDY-021 WCI-SUB-068 WCI-SUB-069 WCI-SUB-074 WCI-UPD-051',
    {
      errorBody: changed(
        ({ status }, operation) => status === 400 && isCheckin(operation),
        (body) => ({ ...body, error: 'BAD_REQUEST' }),
      ),
    },
  ),
  sometimes(
    'error-400-own-code-lookup',
    'Validation errors of the lookup have a code of their own.',
    'SHR-ERR-022 also FLA-GET-008 FLA-GET-009 FLA-GET-010 FLA-GET-016 FLA-GET-017 FLA-GET-018 FLA-GET-019 FLA-GET-021 FLA-GET-022 FLA-GET-023 FLA-GET-024 FLA-GET-026 FLA-GET-039 FLA-GET-041 FLA-GET-042',
    {
      errorBody: changed(
        ({ status }, operation) => status === 400 && operation === 'fla.lookup',
        (body) => ({ ...body, error: 'INVALID_REQUEST' }),
      ),
    },
  ),
  sometimes('error-flights-without-message', 'Errors of flight alerts have no message.', 'SHR-ERR-020', {
    errorBody: changed((_refusal, operation) => !isCheckin(operation), without('message')),
  }),
  sometimes('error-409-shows-key', 'A flight alerts conflict shows a callback key.', 'FLA-SUB-042', {
    errorBody: changed(
      ({ status }, operation) => status === 409 && !isCheckin(operation),
      (body) => ({ ...body, callbackApiKey: 'fac_shown-again' }),
    ),
  }),
  sometimes(
    'error-409-own-code',
    'A flight alerts conflict has a code of its own.',
    'SHR-ERR-024 also FLA-SUB-008 FLA-SUB-009 FLA-SUB-010 FLA-SUB-024',
    {
      errorBody: changed(
        ({ status }, operation) => status === 409 && !isCheckin(operation),
        (body) => ({ ...body, error: 'CONFLICT' }),
      ),
    },
  ),
  sometimes('error-broken-json-500', 'Broken JSON is an internal error in web check-in.', 'SHR-ERR-012', {
    brokenJson: (operation) =>
      isCheckin(operation)
        ? new Refusal(500, 'INTERNAL_ERROR', 'Unexpected token.')
        : new Refusal(400, 'VALIDATION_ERROR', 'The body is not valid JSON.'),
  }),
  sometimes(
    'error-broken-json-500-flights',
    'Broken JSON is an internal error in flight alerts.',
    'SHR-ERR-027',
    {
      brokenJson: (operation) =>
        isCheckin(operation)
          ? new Refusal(400, 'VALIDATION_ERROR', 'The body is not valid JSON.')
          : new Refusal(500, 'INTERNAL_ERROR', 'Unexpected token.'),
    },
  ),
  sometimes(
    'error-broken-json-page',
    "Broken JSON is answered with the framework's page.",
    'SHR-ERR-001 also SHR-ERR-012 SHR-ERR-027 SHR-ERR-020 WCI-MP-004',
    {
      errorBody: changed(
        ({ message }) => message.includes('not valid JSON'),
        () => ({ raw: '<pre>SyntaxError: Unexpected token</pre>', mediaType: 'text/html' }),
      ),
    },
  ),
  always(
    'error-402-own-code',
    'A missing entitlement has a code of its own.',
    'SHR-ERR-008 also WCI-QTA-003 WCI-QTA-004 WCI-QTA-005',
    { quotaRefusal: { status: 402, code: 'PAYMENT_REQUIRED' } },
  ),
  always(
    'error-402-as-403',
    'A missing entitlement is forbidden instead of 402.',
    'WCI-QTA-003 WCI-QTA-004 WCI-QTA-005 also SHR-ERR-014 WCI-QTA-011',
    { quotaRefusal: { status: 403, code: 'QUOTA_EXHAUSTED' } },
  ),
  sometimes(
    'error-402-as-429',
    'A missing entitlement is answered like a rate limit.',
    'WCI-QTA-003 WCI-QTA-004 WCI-QTA-005 WCI-QTA-011 also SHR-LIM-018',
    { quotaRefusal: { status: 429, code: 'QUOTA_EXHAUSTED' } },
  ),
  sometimes('error-null-body-500', 'A body that is null or a number is an internal error.', 'SHR-ERR-013', {
    enforces: skipping('body.object'),
  }),
  always('success-as-plain-text', 'The status is sent as text/plain.', 'SHR-ERR-028', {
    statusBody: (fields) => ({
      raw: JSON.stringify({ success: true, ...fields }),
      mediaType: 'text/plain',
    }),
  }),
  always('success-as-number', 'success of a status is 1.', 'SHR-ERR-028', {
    statusBody: (fields) => ({ success: 1, ...fields }),
  }),

  sometimes('error-retry-after-everywhere', 'Every error carries retryAfter.', 'SHR-ERR-006', {
    errorBody: (refusal) => ({ retryAfter: 0, ...standardErrorBody(refusal) }),
  }),
  sometimes(
    'error-500-page',
    'An upload that cannot be parsed is answered with a text page.',
    'WCI-MP-016 also SHR-ERR-001',
    {
      errorBody: changed(
        ({ status }) => status === 500,
        () => ({ raw: 'Internal Server Error', mediaType: 'text/plain' }),
      ),
    },
  ),
  sometimes('error-422-without-reason', 'A journey rejection does not say why.', 'WCI-JRN-013', {
    errorBody: changed(
      ({ status }) => status === 422,
      () => ({ success: false, error: 'REJECTED', message: 'Rejected' }),
    ),
  }),
  sometimes('error-409-bare', 'A conflicting update has no error code.', 'WCI-UPD-038 also SHR-ERR-003', {
    errorBody: changed(
      ({ status }, operation) => status === 409 && operation === 'wci.update',
      without('error'),
    ),
  }),
  sometimes(
    'error-code-alternates',
    'The code of an unknown key changes from request to request.',
    'SHR-ERR-005',
    {
      unauthorizedBody: (failure, { tally }) => ({
        success: false,
        error:
          failure === 'unknown' && tally.next('unknown key') % 2 === 0 ? 'UNAUTHORIZED' : 'INVALID_API_KEY',
        message: 'Invalid API key',
      }),
    },
  ),
  sometimes('error-repeat-409', 'A repeated subscribe is a conflict.', 'SHR-ERR-014 also WCI-SUB-015', {
    onRepeat: () => {
      throw new Refusal(409, 'ALREADY_SUBSCRIBED', 'The booking is subscribed already.');
    },
  }),
  sometimes(
    'success-false',
    'success of a subscribe that is accepted is false.',
    'SHR-ERR-029 also SHR-ERR-034',
    { subscribeBody: (fields) => ({ success: false, ...fields }) },
  ),
  sometimes(
    'error-401-bare',
    'A web check-in 401 has an error and nothing else.',
    'SHR-ERR-002 SHR-ERR-004',
    {
      unauthorizedBody: (failure, { api }, codes) =>
        api === 'webcheckin' ? { error: codes[failure] } : textUnauthorized(failure),
    },
  ),
  sometimes('error-as-html', 'Errors of an update say that they are HTML.', 'SHR-ERR-036', {
    errorHeaders: (operation) => (operation === 'wci.update' ? html : {}),
  }),
  sometimes('error-as-text', 'Errors of a lookup say that they are plain text.', 'SHR-ERR-037', {
    errorHeaders: (operation) => (operation === 'fla.lookup' ? { 'content-type': 'text/plain' } : {}),
  }),
  always('flight-subscribe-as-html', 'A flight subscribe says that it answers HTML.', 'FLA-SUB-039', {
    subscribeHeaders: html,
  }),
  sometimes('content-type-parameters', 'A content type with parameters is refused.', 'WCI-SUB-060', {
    bareContentType: true,
  }),
];
