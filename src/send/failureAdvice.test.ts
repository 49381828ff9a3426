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
  [failed('ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED'), /refuses the client certificate/],
  [failed('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), /refuses the client certificate/],
  [failed('ERR_SSL_EE_KEY_TOO_SMALL'), /too weak/],
  [failed('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'), /offer HTTP\/1\.1/],
  [failed('ERR_SSL_UNSUPPORTED_PROTOCOL'), /versions of TLS that Node refuses/],
  [failed('ERR_SSL_DATA_LENGTH_TOO_LONG'), /speaks TLS 1\.2 or 1\.3/],
  [failed('UNSPECIFIED', 'unspecified certificate verification error'), /too weak/],
  [failed('ERR_HTTP2_ERROR'), /does not speak HTTP/],
  [failed('', 'Response does not match the HTTP/1.1 protocol'), /does not speak HTTP/],
  [failed('HPE_INVALID_CONSTANT'), /does not speak HTTP/],
  [failed('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling'), /a name and a password/],
  [
    failed('UND_ERR_ABORTED', 'Proxy response (502) !== 200 when HTTP Tunneling'),
    /does not reach the target/,
  ],
  [failed('UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling'), /what the proxy allows/],
  [failed('UND_ERR_INVALID_ARG', 'Proxy Authentication Required (407)'), /a name and a password/],
  [failed('ECONNRESET'), /https:\/\/ where the port speaks TLS/],
])('%o comes with what to do', (error, advice) => {
  expect(adviceForFailure(describeFailure(error, false))).toMatch(advice);
});

test('an error of OpenSSL is told without its source lines', () => {
  const said =
    '408D0B8A1D7F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/x.c:77:\n';
  expect(describeFailure(failed('ERR_SSL_WRONG_VERSION_NUMBER', said), false).message).toBe(
    'TLS: wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)',
  );
});

test('where several addresses were tried in vain, it says what became of the first', () => {
  const each = [failed('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:80'), failed('ETIMEDOUT')];
  const error = Object.assign(new AggregateError(each), { code: 'ECONNREFUSED' });
  expect(describeFailure(error, false)).toMatchObject({
    reason: 'refused',
    message: 'connect ECONNREFUSED 10.0.0.1:80',
  });
});
