import { expect, test } from 'vitest';
import { describeFailure } from './failure.ts';
import { adviceForFailure } from './failureAdvice.ts';

function failed(code: string, message = 'it failed'): Error {
  return Object.assign(new Error(message), { code });
}

test.each<[error: Error, advice: RegExp]>([
  [failed('ECONNREFUSED'), /Start the deployment/],
  [failed('ENOTFOUND'), /host name/],
  [failed('EAI_AGAIN'), /name server/],
  [failed('EHOSTUNREACH'), /VPN/],
  [failed('UND_ERR_CONNECT_TIMEOUT'), /connectTimeout/],
  [failed('ERR_SSL_WRONG_VERSION_NUMBER'), /does not speak TLS: use http:/],
  [failed('ERR_SSL_PACKET_LENGTH_TOO_LONG'), /does not speak TLS/],
  [failed('SELF_SIGNED_CERT_IN_CHAIN'), /http\.extraCa/],
  [failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /http\.extraCa/],
  [failed('CERT_HAS_EXPIRED'), /renew it/],
  [failed('ERR_TLS_CERT_ALTNAME_INVALID'), /another host name/],
  [failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), /client certificate/],
  [failed('HPE_INVALID_CONSTANT'), /does not speak HTTP/],
  [failed('ECONNRESET'), /https:\/\/ where the port speaks TLS/],
])('%o comes with what to do', (error, advice) => {
  expect(adviceForFailure(describeFailure(error, false))).toMatch(advice);
});
