import type { OperationId } from '../../core/operations.ts';
import { standardErrorBody } from '../shared/policy.ts';
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

const isCheckin = (operation: OperationId) => operation.startsWith('wci');
const without = (member: string) => (body: Body) => omit(body, member);

let refusals = 0;

/** Mistakes in error answers. */
export const errorDefects: readonly Defect[] = [
  sometimes(
    'error-404-without-success',
    'A web check-in 404 has no success member.',
    {
      errorBody: changed(
        ({ status }, operation) => status === 404 && isCheckin(operation),
        without('success'),
      ),
    },
    ['SHR-ERR-002'],
  ),
  sometimes(
    'error-success-as-text',
    'success of a refused update is the string "false".',
    {
      errorBody: changed(
        (_refusal, operation) => operation === 'wci.update',
        (body) => ({ ...body, success: 'false' }),
      ),
    },
    ['SHR-ERR-002'],
    ['WCI-UPD-038'],
  ),
  sometimes(
    'error-nested',
    'The status operation nests code and message in an error object.',
    {
      errorBody: changed(
        (_refusal, operation) => operation === 'wci.status',
        (body) => ({ success: false, error: { code: body.error, message: body.message } }),
      ),
    },
    ['SHR-ERR-003'],
    ['SHR-ERR-004', 'SHR-ERR-007', 'SHR-ERR-009', 'WCI-STS-003', 'WCI-STS-004', 'WCI-SCP-001'],
  ),
  sometimes(
    'error-422-without-message',
    'A journey rejection has no message.',
    { errorBody: changed(({ status }) => status === 422, without('message')) },
    ['SHR-ERR-004'],
  ),
  sometimes(
    'error-422-own-code',
    'A journey rejection has a code of its own.',
    {
      errorBody: changed(
        ({ status }) => status === 422,
        (body) => ({ ...body, error: 'JOURNEY_REJECTED' }),
      ),
    },
    ['SHR-ERR-010'],
    [
      'WCI-JRN-001',
      'WCI-CBR-013',
      'WCI-UPD-042',
      'WCI-DT-021',
      'WCI-DT-030',
      'WCI-JRN-004',
      'WCI-JRN-006',
      'WCI-JRN-007',
    ],
  ),
  sometimes(
    'error-404-own-code',
    'An update of an unknown record has a code of its own.',
    {
      errorBody: changed(
        ({ status }, operation) => status === 404 && operation === 'wci.update',
        (body) => ({ ...body, error: 'CHECKIN_NOT_FOUND' }),
      ),
    },
    ['SHR-ERR-009'],
    ['WCI-UPD-008', 'WCI-UPD-009', 'WCI-SCP-002', 'WCI-SCP-003', 'WCI-MP-019'],
  ),
  always(
    'error-400-own-code',
    'Web check-in validation errors have a code of their own.',
    {
      errorBody: changed(
        ({ status }, operation) => status === 400 && isCheckin(operation),
        (body) => ({ ...body, error: 'BAD_REQUEST' }),
      ),
    },
    ['SHR-ERR-007'],
    [
      'SHR-ERR-012',
      'SHR-ERR-013',
      'WCI-CBR-013',
      'WCI-DT-005',
      'WCI-DT-015',
      'WCI-DT-016',
      'WCI-DT-017',
      'WCI-DT-018',
      'WCI-DT-020',
      'WCI-DT-023',
      'WCI-DT-031',
      'WCI-DT-032',
      'WCI-JRN-016',
      'WCI-JRN-017',
      'WCI-MP-004',
      'WCI-MP-005',
      'WCI-STS-003',
      'WCI-SUB-024',
      'WCI-SUB-025',
      'WCI-SUB-026',
      'WCI-SUB-027',
      'WCI-SUB-028',
      'WCI-SUB-029',
      'WCI-SUB-030',
      'WCI-SUB-031',
      'WCI-SUB-032',
      'WCI-SUB-033',
      'WCI-SUB-037',
      'WCI-SUB-038',
      'WCI-SUB-039',
      'WCI-SUB-047',
      'WCI-SUB-048',
      'WCI-SUB-052',
      'WCI-SUB-055',
      'WCI-SUB-056',
      'WCI-SUB-058',
      'WCI-UPD-007',
      'WCI-UPD-015',
      'WCI-UPD-016',
      'WCI-UPD-017',
      'WCI-UPD-020',
      'WCI-UPD-022',
      'WCI-UPD-023',
      'WCI-UPD-024',
      'WCI-UPD-025',
      'WCI-UPD-048',
      'WCI-UPD-049',
    ],
  ),
  sometimes(
    'error-400-own-code-lookup',
    'Validation errors of the lookup have a code of their own.',
    {
      errorBody: changed(
        ({ status }, operation) => status === 400 && operation === 'fla.lookup',
        (body) => ({ ...body, error: 'INVALID_REQUEST' }),
      ),
    },
    ['SHR-ERR-022'],
    [
      'FLA-GET-008',
      'FLA-GET-009',
      'FLA-GET-010',
      'FLA-GET-016',
      'FLA-GET-017',
      'FLA-GET-018',
      'FLA-GET-019',
      'FLA-GET-021',
      'FLA-GET-022',
      'FLA-GET-023',
      'FLA-GET-024',
      'FLA-GET-026',
    ],
  ),
  sometimes(
    'error-flights-without-message',
    'Errors of flight alerts have no message.',
    { errorBody: changed((_refusal, operation) => !isCheckin(operation), without('message')) },
    ['SHR-ERR-020'],
  ),
  sometimes(
    'error-409-own-code',
    'A flight alerts conflict has a code of its own.',
    {
      errorBody: changed(
        ({ status }, operation) => status === 409 && !isCheckin(operation),
        (body) => ({ ...body, error: 'CONFLICT' }),
      ),
    },
    ['SHR-ERR-024'],
    ['FLA-SUB-008', 'FLA-SUB-009', 'FLA-SUB-010', 'FLA-SUB-024'],
  ),
  sometimes(
    'error-broken-json-500',
    'Broken JSON is an internal error in web check-in.',
    {
      brokenJson: (operation) =>
        isCheckin(operation)
          ? new Refusal(500, 'INTERNAL_ERROR', 'Unexpected token.')
          : new Refusal(400, 'VALIDATION_ERROR', 'The body is not valid JSON.'),
    },
    ['SHR-ERR-012'],
  ),
  sometimes(
    'error-broken-json-500-flights',
    'Broken JSON is an internal error in flight alerts.',
    {
      brokenJson: (operation) =>
        isCheckin(operation)
          ? new Refusal(400, 'VALIDATION_ERROR', 'The body is not valid JSON.')
          : new Refusal(500, 'INTERNAL_ERROR', 'Unexpected token.'),
    },
    ['SHR-ERR-027'],
  ),
  sometimes(
    'error-broken-json-page',
    "Broken JSON is answered with the framework's page.",
    {
      errorBody: changed(
        ({ message }) => message.includes('not valid JSON'),
        () => ({ raw: '<pre>SyntaxError: Unexpected token</pre>', mediaType: 'text/html' }),
      ),
    },
    ['SHR-ERR-001'],
    ['SHR-ERR-012', 'SHR-ERR-027', 'SHR-ERR-020', 'WCI-MP-004'],
  ),
  always(
    'error-402-own-code',
    'A missing entitlement has a code of its own.',
    { quotaRefusal: { status: 402, code: 'PAYMENT_REQUIRED' } },
    ['SHR-ERR-008'],
    ['WCI-QTA-003', 'WCI-QTA-004', 'WCI-QTA-005'],
  ),
  always(
    'error-402-as-403',
    'A missing entitlement is forbidden instead of 402.',
    { quotaRefusal: { status: 403, code: 'QUOTA_EXHAUSTED' } },
    ['WCI-QTA-003', 'WCI-QTA-004', 'WCI-QTA-005'],
    ['SHR-ERR-014', 'WCI-QTA-011'],
  ),
  sometimes(
    'error-null-body-500',
    'A body that is null or a number is an internal error.',
    { enforces: skipping('body.object') },
    ['SHR-ERR-013'],
  ),
  always(
    'success-as-plain-text',
    'The status is sent as text/plain.',
    {
      statusBody: (fields) => ({
        raw: JSON.stringify({ success: true, ...fields }),
        mediaType: 'text/plain',
      }),
    },
    ['SHR-ERR-028'],
  ),
  always(
    'success-as-number',
    'success of a status is 1.',
    { statusBody: (fields) => ({ success: 1, ...fields }) },
    ['SHR-ERR-028'],
  ),

  sometimes(
    'error-retry-after-everywhere',
    'Every error carries retryAfter.',
    { errorBody: (refusal) => ({ retryAfter: 0, ...standardErrorBody(refusal) }) },
    ['SHR-ERR-006'],
  ),
  sometimes(
    'error-500-page',
    'An upload that cannot be parsed is answered with a text page.',
    {
      errorBody: changed(
        ({ status }) => status === 500,
        () => ({ raw: 'Internal Server Error', mediaType: 'text/plain' }),
      ),
    },
    ['WCI-MP-016'],
    ['SHR-ERR-001'],
  ),
  sometimes(
    'error-422-without-reason',
    'A journey rejection does not tell why.',
    {
      errorBody: changed(
        ({ status }) => status === 422,
        () => ({ success: false, error: 'REJECTED', message: 'Rejected' }),
      ),
    },
    ['WCI-JRN-013'],
  ),
  sometimes(
    'error-409-bare',
    'A conflicting update has no error code.',
    {
      errorBody: changed(
        ({ status }, operation) => status === 409 && operation === 'wci.update',
        without('error'),
      ),
    },
    ['WCI-UPD-038'],
    ['SHR-ERR-003'],
  ),
  sometimes(
    'error-code-alternates',
    'The code of an unknown key changes from request to request.',
    {
      unauthorizedBody: (failure) => ({
        success: false,
        error: failure === 'unknown' && (refusals += 1) % 2 === 0 ? 'UNAUTHORIZED' : 'INVALID_API_KEY',
        message: 'Invalid API key',
      }),
    },
    ['SHR-ERR-005'],
  ),
  sometimes(
    'error-repeat-409',
    'A repeated subscribe is a conflict.',
    {
      onRepeat: () => {
        throw new Refusal(409, 'ALREADY_SUBSCRIBED', 'The booking is subscribed already.');
      },
    },
    ['SHR-ERR-014'],
    ['WCI-SUB-015'],
  ),
  sometimes(
    'success-false',
    'success of a subscribe that is accepted is false.',
    { subscribeBody: (fields) => ({ success: false, ...fields }) },
    ['SHR-ERR-029'],
    ['SHR-ERR-034'],
  ),
  sometimes(
    'content-type-parameters',
    'A content type with parameters is refused.',
    { bareContentType: true },
    ['WCI-SUB-060'],
  ),
];
