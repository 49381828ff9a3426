import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import { operations } from '../../core/operations.ts';
import { errorCode, inFrontOf } from '../kernel/answer.ts';
import { bodyOf, headerOf, isObject, objectOf, responseOf, type JsonObject } from '../kernel/body.ts';
import { holds, differs, judgementOf } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { noObject, wrongType } from '../../spec/rules/bodyForms.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';

/**
 * The members of every error body, and a content type of JSON. A 401 of flight alerts comes from the layer in front of the
 * service: `error` is required in any reading, `success` and `message` may be missing.
 */
export const errorEnvelope: Oracle = {
  id: 'error-envelope',
  title: 'Every error is a JSON object with success false, an error and a message',
  verifies: [
    'SHR-ERR-001',
    'SHR-ERR-002',
    'SHR-ERR-003',
    'SHR-ERR-004',
    'SHR-ERR-020',
    'SHR-ERR-021',
    'SHR-ERR-035',
    'SHR-ERR-036',
    'SHR-ERR-037',
  ],
  answers: 'refused',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (!response || !exchange.operation || response.status < 400 || response.truncated) return noSamples;
  if (inFrontOf(exchange, response) !== null) return noSamples;
  return operations[exchange.operation].api === 'webcheckin'
    ? judgeCheckinError(response)
    : judgeFlightError(exchange, response);
}

function judgeCheckinError(response: RecordedResponse): readonly Sample[] {
  const body = bodyOf(response);
  if (body.kind !== 'json' || !isObject(body.value))
    return [sampleOf('SHR-ERR-001', judgementOf(noObject(body)))];
  const { success, error, message } = body.value;
  return [
    sampleOf('SHR-ERR-001', holds),
    judgeSuccess('SHR-ERR-002', success),
    judgeText('SHR-ERR-003', 'error', error),
    judgeText('SHR-ERR-004', 'message', message),
    judgeType('SHR-ERR-036', response),
  ];
}

function judgeFlightError(exchange: Exchange, response: RecordedResponse): readonly Sample[] {
  const object = objectOf(exchange);
  const form = judgeFlightBody(exchange, response, object);
  return object ? [...form, judgeType('SHR-ERR-037', response)] : form;
}

function judgeFlightBody(
  exchange: Exchange,
  response: RecordedResponse,
  object: JsonObject | null,
): readonly Sample[] {
  const body = bodyOf(response);
  if (response.status === 401) return judgeFlightRefusal(object, body);
  if (response.status === 429 || isAuthenticationFailure(exchange, response)) return noSamples;
  if (!object) {
    return [sampleOf('SHR-ERR-020', judgementOf(noObject(body)))];
  }
  const parts = [
    judgeSuccess('SHR-ERR-020', object.success),
    judgeText('SHR-ERR-020', 'error', object.error),
    judgeText('SHR-ERR-020', 'message', object.message),
  ];
  return [parts.find((part) => part.judgement.status !== 'holds') ?? sampleOf('SHR-ERR-020', holds)];
}

function judgeFlightRefusal(object: JsonObject | null, body: ReturnType<typeof bodyOf>): readonly Sample[] {
  if (!object) return [sampleOf('SHR-ERR-035', judgementOf(noObject(body)))];
  const { error } = object;
  const sample = judgeText('SHR-ERR-035', 'error', error);
  return typeof error === 'string' && /[a-z ]/.test(error)
    ? [sample, sampleOf('SHR-ERR-021', holds)]
    : [sample];
}

/** A 500 of the authentication layer has texts, not the form of the flight handlers. */
export function isAuthenticationFailure(exchange: Exchange, response: RecordedResponse): boolean {
  if (response.status !== 500) return false;
  const said = objectOf(exchange)
    ? (errorCode(exchange) ?? '')
    : Buffer.from(response.body.subarray(0, 200)).toString();
  return /authenti|authori[sz]|credential|api.?key|^auth/i.test(said);
}

/** JSON itself, or a media type based on it. */
function judgeType(requirement: string, response: RecordedResponse): Sample {
  const type = headerOf(response, 'content-type');
  if (type !== null && /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    return sampleOf(requirement, holds);
  return sampleOf(requirement, judgementOf(wrongType(type)));
}

function judgeSuccess(requirement: string, success: unknown): Sample {
  if (success === false) return sampleOf(requirement, holds);
  return sampleOf(requirement, differs('shape', 'success', is.oneOf(false), is.value(success)));
}

function judgeText(requirement: string, name: string, value: unknown): Sample {
  if (typeof value === 'string' && value.trim() !== '') return sampleOf(requirement, holds);
  return sampleOf(requirement, differs('shape', name, is.type('non-empty string'), is.value(value)));
}
