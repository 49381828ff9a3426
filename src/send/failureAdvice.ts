import type { TransportFailure } from '../core/evidence.ts';

/** What to do if no complete response came, by the kind of failure; some kinds have more specific advice by the code of the failure. */
export function adviceForFailure({ reason, message }: Pick<TransportFailure, 'reason' | 'message'>): string {
  const found = byCode.find(([codes]) => codes.test(message));
  return found?.[1] ?? byReason[reason];
}

/** Plain HTTP where TLS is expected, or the other way round, has nothing to do with certificates. */
const byCode: readonly (readonly [codes: RegExp, advice: string])[] = [
  [
    /^the proxy answered 407/,
    'It wants a name and a password: HTTPS_PROXY=http://NAME:PASSWORD@host:port, or http.proxy with env:NAME.',
  ],
  [
    /^the proxy answered 5/,
    'It does not reach the target: check host and port of --target, and where the proxy may connect to; NO_PROXY names what is reached without it.',
  ],
  [
    /^the proxy/,
    'Check http.proxy, HTTP_PROXY and HTTPS_PROXY, and what the proxy allows; NO_PROXY names what is reached without it.',
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|\bEPROTO\b|HTTP_REQUEST/i,
    'This port does not speak TLS: use http:// in --target, or the port of HTTPS.',
  ],
  [
    /ALERT_(?:UNKNOWN_CA|ACCESS_DENIED|(?:BAD|UNSUPPORTED)_CERTIFICATE\b|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN))/,
    'The server refuses the client certificate: name one in http.clientCert and http.clientKey that has not expired, and whose authority the server trusts.',
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    'The certificate is not valid now: renew it, or set the clock of this machine.',
  ],
  [
    /ALTNAME_INVALID/,
    'The certificate is for another host name: use the one that it names in --target, or correct the certificate.',
  ],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE/,
    'The server asks for more than was offered: a client certificate (http.clientCert and http.clientKey), or another version of TLS.',
  ],
  [/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION/, 'The server speaks only versions of TLS that Node refuses.'],
  [
    /KEY_TOO_SMALL|MD_TOO_WEAK|UNSPECIFIED/,
    'Its certificate is too weak to be trusted, as with a short key: renew it with an elliptic key, or one of at least 2048 bits.',
  ],
  [
    /NO_APPLICATION_PROTOCOL/,
    'The server accepts neither HTTP/2 nor HTTP/1.1 by ALPN: let it offer HTTP/1.1.',
  ],
  [
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/,
    'Name the authority of its certificate as http.extraCa in the config, or let the server send its whole chain; NODE_USE_SYSTEM_CA=1 trusts what this machine trusts.',
  ],
  [
    /ERR_SSL_/,
    'The TLS handshake failed: check that this port speaks TLS 1.2 or 1.3, and what runs in front of the deployment.',
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'There is no route to this network: check the VPN and the routes.'],
  [/EAI_AGAIN/, 'The name server did not answer: check the network of this machine.'],
];

const byReason: Readonly<Record<TransportFailure['reason'], string>> = {
  refused: 'Start the deployment, or check host and port of --target.',
  unresolved: 'Check the host name in --target.',
  timeout: 'Check the network path (VPN, proxy), or raise http.connectTimeout and http.responseTimeout.',
  tls: 'Name the authority of its certificate as http.extraCa in the config.',
  reset:
    'Check the address (https:// where the port speaks TLS), whether the server asks for a client certificate, and its log.',
  protocol:
    'The server does not speak HTTP correctly: check the port, and what runs in front of the deployment.',
  aborted: 'Nothing to do: the run was stopped.',
  'too-large': 'Raise http.maxBodyBytes, or ask for less.',
  other: 'Check the address with curl.',
};
