import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import { operations, type Api, type OperationId } from '../../core/operations.ts';
import { Findings, wrong } from '../../spec/kernel/findings.ts';
import * as is from '../../spec/kernel/value.ts';
import { noObject, wrongType } from '../../spec/rules/bodyForms.ts';
import { errorCode, inFrontOf, isRejectedMessage, responseValue } from '../kernel/answer.ts';
import { bodyOf, headerOf, isObject, objectOf, responseOf, type JsonObject } from '../kernel/body.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { noSamples, samplesOfFindings } from '../kernel/sample.ts';

/** The statuses that the documents list for an operation. */
export const documentedStatuses: Readonly<
  Record<OperationId, { readonly requirement: string; readonly statuses: ReadonlySet<number> }>
> = {
  'wci.subscribe': { requirement: 'SHR-ERR-014', statuses: new Set([200, 400, 401, 402, 422, 429, 500]) },
  'wci.update': { requirement: 'SHR-ERR-015', statuses: new Set([200, 400, 401, 404, 409, 422, 429, 500]) },
  'wci.status': { requirement: 'SHR-ERR-016', statuses: new Set([200, 400, 401, 404, 429, 500]) },
  'wci.list': { requirement: 'SHR-ERR-017', statuses: new Set([200, 400, 401, 429, 500]) },
  'fla.lookup': { requirement: 'SHR-ERR-018', statuses: new Set([200, 400, 401, 404, 429, 500, 502]) },
  'fla.subscribe': {
    requirement: 'SHR-ERR-019',
    statuses: new Set([200, 400, 401, 404, 409, 429, 500, 502]),
  },
};

interface CodeRule {
  readonly requirement: string;
  readonly codes: readonly string[];
}

/** The codes that the documents name for a status; those of 401, 429 and the web check-in 409 are not shown. */
const codeRules: Readonly<Record<Api, Readonly<Record<number, CodeRule>>>> = {
  webcheckin: {
    400: { requirement: 'SHR-ERR-007', codes: ['VALIDATION_ERROR'] },
    402: { requirement: 'SHR-ERR-008', codes: ['QUOTA_EXHAUSTED'] },
    404: { requirement: 'SHR-ERR-009', codes: ['NOT_FOUND'] },
    422: { requirement: 'SHR-ERR-010', codes: ['REJECTED'] },
    500: { requirement: 'SHR-ERR-011', codes: ['INTERNAL_ERROR'] },
  },
  'flight-alerts': {
    400: { requirement: 'SHR-ERR-022', codes: ['VALIDATION_ERROR'] },
    404: { requirement: 'SHR-ERR-023', codes: ['FLIGHT_NOT_FOUND', 'NOT_FOUND'] },
    409: {
      requirement: 'SHR-ERR-024',
      codes: ['AMBIGUOUS_FLIGHT', 'EXTERNAL_FID_ALREADY_REGISTERED', 'CALLBACK_ALREADY_REGISTERED'],
    },
    500: { requirement: 'SHR-ERR-026', codes: ['INTERNAL_ERROR'] },
    502: {
      requirement: 'SHR-ERR-025',
      codes: ['PROVIDER_UNAVAILABLE', 'INVALID_PROVIDER_DATA', 'SUBSCRIPTION_FAILED'],
    },
  },
};
const updateRejection: CodeRule = { requirement: 'WCI-UPD-042', codes: ['REJECTED'] };

const updateConflict = 'WCI-UPD-038';

/** The error codes that the documents name for a status of an operation; none for a flight failure, which may be a text. */
export function documentedCodes(operation: OperationId, status: number): readonly string[] {
  const { api } = operations[operation];
  const codes = api === 'flight-alerts' && status === 500 ? [] : (codeRules[api][status]?.codes ?? []);
  return codes.filter((code) => code !== 'SUBSCRIPTION_FAILED' || operation === 'fla.subscribe');
}

/** What holds for an answer of any operation: its status, its bytes, and the code and the form of an error. */
export const answers: Oracle = {
  id: 'answers',
  replaces: ['error-envelope', 'status-set', 'error-codes', 'plain-text'],
  title:
    'Every answer has a documented status, and every error is a JSON object with success false, a documented code and a message',
  verifies: [
    ...Object.values(documentedStatuses).map(({ requirement }) => requirement),
    ...Object.values(codeRules).flatMap((rules) =>
      Object.values(rules).map(({ requirement }) => requirement),
    ),
    updateRejection.requirement,
    updateConflict,
    ...['SHR-ERR-001', 'SHR-ERR-002', 'SHR-ERR-003', 'SHR-ERR-004', 'SHR-ERR-020', 'SHR-ERR-021'],
    ...['SHR-ERR-035', 'SHR-ERR-036', 'SHR-ERR-037', 'SHR-ERR-038', 'SHR-ERR-040'],
  ],
  judges: 'answers',
  createWatch: () => ({
    exchange: (exchange) => {
      const response = responseOf(exchange);
      if (!response || !exchange.operation) return noSamples;
      const findings = new Findings();
      judge(exchange, exchange.operation, response, findings);
      return samplesOfFindings(findings);
    },
  }),
};

function judge(
  exchange: Exchange,
  operation: OperationId,
  response: RecordedResponse,
  findings: Findings,
): void {
  const { requirement, statuses } = documentedStatuses[operation];
  const { status, truncated } = response;
  const cause = inFrontOf(exchange, response);
  if (cause !== null) {
    findings.doubt(requirement, cause);
    if (operations[operation].api === 'webcheckin' && status < 500) judgeInFront(response, findings);
    return;
  }
  const want: is.Value = { kind: 'statuses', statuses: [...statuses] };
  findings.check(requirement, statuses.has(status), () =>
    wrong('status', 'answer', want, responseValue(exchange)),
  );
  judgeMark(response, findings);
  const { api } = operations[operation];
  // A journey is rejected in one of two forms; this one has no status of its own.
  if (isRejectedMessage(exchange)) findings.waive(codeRules.webcheckin[422]?.requirement ?? '');
  if (status < 400) return;
  if (operation === 'wci.update' && status === 409 && !truncated) {
    const body = objectOf(exchange);
    const isStandard =
      body?.success === false &&
      [body.error, body.message].every((one) => typeof one === 'string' && one !== '');
    findings.check(updateConflict, isStandard, () =>
      wrong(
        'error-body',
        'body',
        is.pattern('an object with success false, error and message'),
        is.value(body),
      ),
    );
  }
  if (statuses.has(status)) judgeCode(exchange, operation, response, findings);
  // No request provokes a 500, so any other error of the API means that the condition of its rule did not occur.
  if (status !== 500) findings.waive(codeRules[api][500]?.requirement ?? '');
  if (truncated) return;
  if (api === 'webcheckin') judgeCheckinError(response, findings);
  else judgeFlightError(exchange, response, findings);
}

/** An error in front of web check-in may have no body; one that it has is JSON. */
export function judgeInFront(response: RecordedResponse, findings: Findings): void {
  if (response.body.length === 0) findings.waive('SHR-ERR-040');
  else if (!response.truncated) judgeObject('SHR-ERR-040', response, findings);
}

const mark = [0xef, 0xbb, 0xbf] as const;

/** JSON starts with its first value: a byte order mark is not part of it (RFC 8259, 8.1), and many parsers reject it. */
function judgeMark(response: RecordedResponse, findings: Findings): void {
  if (bodyOf(response).kind !== 'json') return;
  const isMarked = mark.every((byte, at) => response.body[at] === byte);
  findings.check('SHR-ERR-038', !isMarked, () => ({
    ...{ code: 'mark', at: 'body', want: is.text('a body that begins with its JSON') },
    got: is.text('a byte order mark (EF BB BF) in front of it'),
  }));
}

/** Each status comes with the error code that the documents name for it. A body without a code breaks the rules of the envelope instead. */
function judgeCode(
  exchange: Exchange,
  operation: OperationId,
  response: RecordedResponse,
  findings: Findings,
): void {
  const { status } = response;
  const { api } = operations[operation];
  const [code, rule] = [errorCode(exchange), codeRules[api][status]];
  if (!rule || code === null || code.trim() === '') return;
  if (api === 'flight-alerts' && status === 500) {
    judgeFlightFailure(exchange, response, code, findings);
    return;
  }
  const isRejectedUpdate = operation === 'wci.update' && status === 422;
  for (const { requirement, codes } of isRejectedUpdate ? [rule, updateRejection] : [rule])
    findings.check(requirement, codes.includes(code), () => ({
      ...{ code: 'code', at: 'answer', got: { kind: 'answer', status, code } },
      want: { kind: 'one-of', values: codes.map((one) => ({ kind: 'answer', status, code: one })) },
    }));
}

/** The authentication layer uses texts of its own for a 500, which no document lists; a code or HTTP's own phrase is not one. */
function judgeFlightFailure(
  exchange: Exchange,
  response: RecordedResponse,
  code: string,
  findings: Findings,
): void {
  const requirement = 'SHR-ERR-026';
  const isRight = code === 'INTERNAL_ERROR' || isAuthenticationFailure(exchange, response);
  if (isRight || /^[A-Z0-9_]+$/.test(code) || /^internal (server )?error$/i.test(code)) {
    const answer = { kind: 'answer', status: 500 } as const;
    const want = is.noted({ ...answer, code: 'INTERNAL_ERROR' }, 'or an authentication error text');
    findings.check(requirement, isRight, () => wrong('code', 'answer', want, { ...answer, code }));
  } else
    findings.doubt(
      requirement,
      `${exchange.id}: the text ${JSON.stringify(code)} may be an authentication error`,
    );
}

/** A 500 of the authentication layer has texts, not the form of the flight handlers. */
function isAuthenticationFailure(exchange: Exchange, response: RecordedResponse): boolean {
  if (response.status !== 500) return false;
  const said = objectOf(exchange)
    ? (errorCode(exchange) ?? '')
    : Buffer.from(response.body.subarray(0, 200)).toString();
  return /authenti|authori[sz]|credential|api.?key|^auth/i.test(said);
}

function judgeCheckinError(response: RecordedResponse, findings: Findings): void {
  const object = judgeObject('SHR-ERR-001', response, findings);
  if (!object) return;
  judgeSuccess('SHR-ERR-002', object, findings);
  judgeText('SHR-ERR-003', 'error', object, findings);
  judgeText('SHR-ERR-004', 'message', object, findings);
  judgeType('SHR-ERR-036', response, findings);
}

/**
 * A 401 of flight alerts comes from the layer in front of the service: `error` is required in any reading, `success` and `message` may
 * be missing.
 */
function judgeFlightError(exchange: Exchange, response: RecordedResponse, findings: Findings): void {
  const { status } = response;
  if (objectOf(exchange)) judgeType('SHR-ERR-037', response, findings);
  if (status === 429 || isAuthenticationFailure(exchange, response)) return;
  const row = status === 401 ? 'SHR-ERR-035' : 'SHR-ERR-020';
  const object = judgeObject(row, response, findings);
  if (!object) return;
  if (status !== 401) judgeSuccess(row, object, findings);
  judgeText(row, 'error', object, findings);
  if (status !== 401) judgeText(row, 'message', object, findings);
  else if (typeof object.error === 'string' && /[a-z ]/.test(object.error)) findings.keep('SHR-ERR-021');
}

function judgeObject(rule: string, response: RecordedResponse, findings: Findings): JsonObject | null {
  const body = bodyOf(response);
  const object = body.kind === 'json' && isObject(body.value) ? body.value : null;
  findings.check(rule, object !== null, () => noObject(body));
  return object;
}

/** JSON itself, or a media type based on it. */
function judgeType(rule: string, response: RecordedResponse, findings: Findings): void {
  const type = headerOf(response, 'content-type');
  const isJson = type !== null && /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);
  findings.check(rule, isJson, () => wrongType(type));
}

function judgeSuccess(rule: string, { success }: JsonObject, findings: Findings): void {
  findings.check(rule, success === false, () =>
    wrong('shape', 'success', is.oneOf(false), is.value(success)),
  );
}

function judgeText(rule: string, name: 'error' | 'message', object: JsonObject, findings: Findings): void {
  const value = object[name];
  findings.check(rule, typeof value === 'string' && value.trim() !== '', () =>
    wrong('shape', name, is.type('non-empty string'), is.value(value)),
  );
}
