import { usageError } from './errors.ts';

/** The names of the options for an address to listen on. */
interface ListenWords {
  readonly host: string;
  readonly port: number;
  /** What to write instead, for the host and for the port. */
  readonly hostOption: string;
  readonly portOption: string;
}

/** Turns the error of a failed `listen` into one for users; returns any other error unchanged. */
export function listenError({ host, port, hostOption, portOption }: ListenWords, cause: unknown): unknown {
  const hints: Readonly<Record<string, readonly [fault: string, hint: string]>> = {
    EADDRINUSE: ['it is in use', `Choose another with ${portOption}, or 0 for a free one.`],
    EACCES: ['this user may not listen on it', `Choose a port above 1023 with ${portOption}.`],
    EADDRNOTAVAIL: ['this machine does not have the address', `Name one that it has with ${hostOption}.`],
    ENOTFOUND: ['no such host', `Name an address of this machine with ${hostOption}.`],
    EAI_AGAIN: ['no such host', `Name an address of this machine with ${hostOption}.`],
  };
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const [fault, hint] = hints[code] ?? [];
  if (fault === undefined) return cause;
  const name = host.includes(':') ? `[${host}]` : host;
  return usageError('CANNOT_LISTEN', `expected to listen on ${name}:${port}; ${fault}`, hint);
}
