import type { TransportFailure } from '../core/evidence.ts';

type Reason = TransportFailure['reason'];

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  UND_ERR_INVALID_ARG: 'protocol',
};

/** Describes in one line what an error of the HTTP client means, without secrets. */
export function describeFailure(error: unknown, maybeDelivered: boolean): TransportFailure {
  const code = codeOf(error);
  const message = plainly(saidBy(error));
  return {
    reason: reasonOf(code, message),
    message: message.includes(code) ? message : `${message} (${code})`,
    maybeDelivered,
  };
}

/** Where several addresses were tried in vain, the first one's failure says more than that of all, which is empty. */
function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return error.message === '' && inner instanceof Error ? inner.message : error.message;
}

/** OpenSSL puts source locations around the few words that matter; long messages are cut off. */
function plainly(message: string): string {
  const said = /error:[0-9A-F]+:[^:]*:[^:]*:([^:\n]+):/i.exec(message)?.[1];
  if (said !== undefined) return `TLS: ${said}`;
  const status = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message)?.[1];
  if (status !== undefined) return `the proxy answered ${status} in place of a connection`;
  return message.replace(adviceOfNode, '').trim().slice(0, longest);
}

/** Nobody starts Node by hand here. */
const adviceOfNode = /; if the root CA is installed locally, try running Node\.js with --use-system-ca/;

const longest = 400;

function reasonOf(code: string, message: string): Reason {
  const known = reasons[code];
  if (known) return known;
  if (/^(HPE_|ERR_HTTP2_)/.test(code) || message.includes('does not match the HTTP/1.1 protocol'))
    return 'protocol';
  return /TLS|SSL|CERT|SIGNATURE/.test(code) ? 'tls' : 'other';
}

/** The innermost code: Node wraps a refused connection in an AggregateError, undici wraps it once more. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return '';
  const own = (error as NodeJS.ErrnoException).code;
  const inner = error.cause === undefined ? '' : codeOf(error.cause);
  return inner === '' ? (own ?? '') : inner;
}
