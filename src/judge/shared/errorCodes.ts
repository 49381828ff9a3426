import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import { operations, type Api, type OperationId } from '../../core/operations.ts';
import { errorCode, inFrontOf, isRejectedMessage } from '../kernel/answer.ts';
import { responseOf } from '../kernel/body.ts';
import { holds, notApplicable, unclear, differs } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';
import { isAuthenticationFailure } from './errorEnvelope.ts';
import * as is from '../../spec/kernel/value.ts';
import { documentedStatuses } from './statusSet.ts';

interface CodeRule {
  readonly requirement: string;
  readonly codes: readonly string[];
}

/** The codes that the documents name for a status; those of 401, 429 and the web check-in 409 are not shown. */
const codeRules = {
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
} as const satisfies Readonly<Record<Api, Readonly<Record<number, CodeRule>>>>;
const updateRejection: CodeRule = { requirement: 'WCI-UPD-042', codes: ['REJECTED'] };

/** The error codes that the documents name for a status of an operation; none for a flight failure, which may be a text. */
export function documentedCodes(operation: OperationId, status: number): readonly string[] {
  const { api } = operations[operation];
  const rules: Readonly<Record<number, CodeRule>> = codeRules[api];
  const codes = api === 'flight-alerts' && status === 500 ? [] : (rules[status]?.codes ?? []);
  return codes.filter((code) => code !== 'SUBSCRIPTION_FAILED' || operation === 'fla.subscribe');
}

/** Each status comes with the error code that the documents name for it. A body without a code breaks the rules of the envelope instead. */
export const errorCodes: Oracle = {
  id: 'error-codes',
  title: 'Each error status carries an error code that is documented for it',
  verifies: [
    ...Object.values(codeRules).flatMap((rules) => Object.values<CodeRule>(rules)),
    updateRejection,
  ].map(({ requirement }) => requirement),
  judges: 'answers',
  createWatch: () => ({ exchange: judgeExchange }),
};

function judgeExchange(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (!response) return noSamples;
  // A journey is rejected in one of two forms; this one has no status of its own.
  if (isRejectedMessage(exchange)) return [sampleOf(codeRules.webcheckin[422].requirement, notApplicable)];
  if (response.status < 400) return noSamples;
  const code = errorCode(exchange);
  return [
    ...(code === null || code.trim() === '' ? noSamples : judgeCode(exchange, response, code)),
    ...missesFailure(exchange, response),
  ];
}

/** No request provokes a 500, so any other error of the API means that the condition of its rule did not occur. */
function missesFailure(exchange: Exchange, response: RecordedResponse): readonly Sample[] {
  if (!exchange.operation || response.status === 500 || inFrontOf(exchange, response) !== null)
    return noSamples;
  const { api } = operations[exchange.operation];
  return [sampleOf(codeRules[api][500].requirement, notApplicable)];
}

function judgeCode(exchange: Exchange, response: RecordedResponse, code: string): readonly Sample[] {
  const { operation } = exchange;
  if (!operation || !documentedStatuses[operation].statuses.has(response.status)) return noSamples;
  const { api } = operations[operation];
  const rules: Readonly<Record<number, CodeRule>> = codeRules[api];
  const rule = rules[response.status];
  if (!rule || inFrontOf(exchange, response) !== null) return noSamples;
  if (api === 'flight-alerts' && response.status === 500)
    return [judgeFlightFailure(exchange, response, code)];
  const isRejectedUpdate = operation === 'wci.update' && response.status === 422;
  return (isRejectedUpdate ? [rule, updateRejection] : [rule]).map((one) => judge(one, response, code));
}

function judge({ requirement, codes }: CodeRule, { status }: RecordedResponse, code: string): Sample {
  if (codes.includes(code)) return sampleOf(requirement, holds);
  return sampleOf(
    requirement,
    differs(
      'code',
      'answer',
      { kind: 'one-of', values: codes.map((one) => ({ kind: 'answer', status, code: one })) },
      { kind: 'answer', status, code },
    ),
  );
}

/** The authentication layer uses texts of its own for a 500, which no document lists; a code or HTTP's own phrase is not one. */
function judgeFlightFailure(exchange: Exchange, response: RecordedResponse, code: string): Sample {
  const requirement = 'SHR-ERR-026';
  if (code === 'INTERNAL_ERROR' || isAuthenticationFailure(exchange, response))
    return sampleOf(requirement, holds);
  if (/^[A-Z0-9_]+$/.test(code) || /^internal (server )?error$/i.test(code)) {
    const answer = { kind: 'answer', status: 500 } as const;
    const want = is.noted({ ...answer, code: 'INTERNAL_ERROR' }, 'or an authentication error text');
    return sampleOf(requirement, differs('code', 'answer', want, { ...answer, code }));
  }
  return sampleOf(
    requirement,
    unclear(`${exchange.id}: the text ${JSON.stringify(code)} may be an authentication error`),
  );
}
