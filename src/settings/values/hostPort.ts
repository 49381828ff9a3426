import { accept, refuse, type Parsed } from './parsed.ts';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** An address to listen on: `HOST:PORT`, an IPv6 host in brackets; port 0 takes a free one. */
export function parseHostPort(text: string): Parsed<HostPort> {
  const [, ipv6, name, digits] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits ?? Number.NaN);
  return host !== undefined && port <= 65_535
    ? accept({ host, port })
    : refuse('HOST:PORT, such as 127.0.0.1:0 (0 takes a free port) or [::1]:9000', text);
}
