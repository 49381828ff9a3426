import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { openHostileServer, type Mischief } from '../support/hostileServer.ts';
import { makeChain, makeWeakCertificate, openTlsServer } from '../support/hostileTls.ts';
import type { HostileRow } from './row.ts';

type Chain = Awaited<ReturnType<typeof makeChain>>;
type ChainOptions = Parameters<typeof makeChain>[0];

interface Served {
  readonly chain?: ChainOptions;
  /** With a key that is too short. */
  readonly weak?: true;
  /** What the server shows and offers besides its key; the whole chain by default. */
  readonly serves?: (chain: Chain) => TlsOptions;
  /** The authority is not named in the settings. */
  readonly isUnknown?: true;
  readonly says?: string | null;
}

/** A server whose authority is named as http.extraCa, so that nothing but the fault of the row is in the way. */
function served({ chain: options, weak, serves, isUnknown, says }: Served): HostileRow['open'] {
  return async () => {
    const chain = { ...(await makeChain(options)), ...(weak ? await weakChain() : {}) };
    const whole = { cert: chain.leaf + chain.intermediate, key: chain.key };
    const server = await openTlsServer({ ...whole, ...serves?.(chain) }, says);
    const folder = mkdtempSync(join(tmpdir(), 'gatecheck-ca-'));
    const extraCa = join(folder, 'root.pem');
    writeFileSync(extraCa, chain.root);
    return {
      url: server.url,
      config: isUnknown === true ? {} : { http: { extraCa } },
      close: async () => {
        rmSync(folder, { recursive: true });
        await server.close();
      },
    };
  };
}

async function weakChain() {
  const { root, key } = await makeWeakCertificate();
  return { root, key, leaf: root, intermediate: '' };
}

/** A server below TLS. */
function bare(mischief: Mischief): HostileRow['open'] {
  return async () => {
    const server = await openHostileServer(mischief, true);
    return { ...server, url: server.url.replace('http:', 'https:') };
  };
}

const old = (version: 'TLSv1' | 'TLSv1.1'): TlsOptions => ({
  ...{ minVersion: 'TLSv1', maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' },
});

const rows: Readonly<Record<string, HostileRow['open']>> = {
  'a certificate that nobody knows': served({ isUnknown: true }),
  'a certificate for another name': served({ chain: { host: 'other.example' } }),
  'a certificate that has expired': served({ chain: { days: [-90, -1] } }),
  'a certificate that is not valid yet': served({ chain: { days: [2, 90] } }),
  'a chain without its intermediate certificate': served({ serves: ({ leaf }) => ({ cert: leaf }) }),
  'a chain in the wrong order': served({
    serves: ({ leaf, intermediate, root }) => ({ cert: leaf + root + intermediate }),
    isUnknown: true,
  }),
  'a key of 1024 bits': served({ weak: true, serves: () => ({ ciphers: 'ALL:@SECLEVEL=0' }) }),
  'TLS 1.0 alone': served({ serves: () => old('TLSv1') }),
  'TLS 1.1 alone': served({ serves: () => old('TLSv1.1') }),
  'ciphers without encryption alone': served({
    serves: () => ({ ciphers: 'eNULL:@SECLEVEL=0', maxVersion: 'TLSv1.2' }),
  }),
  'HTTP/2 alone': served({ serves: () => ({ ALPNProtocols: ['h2'] }) }),
  'another protocol than HTTP alone': served({ serves: () => ({ ALPNProtocols: ['spdy/3.1'] }) }),
  'a certificate is asked for': served({
    serves: () => ({ requestCert: true, rejectUnauthorized: true }),
  }),
  'silence behind the handshake': served({ says: null }),
  'garbage behind the handshake': served({ says: '\u0000\u0001\u0002\r\n\r\n' }),
  'plain HTTP where TLS is asked for': bare((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  'silence in the handshake': bare(() => undefined),
  'garbage in the handshake': bare((socket) => socket.end('\x16\x03\x01garbage')),
  'a reset in the handshake': bare((socket) => socket.resetAndDestroy()),
  'an end in the handshake': bare((socket) => socket.end()),
  'TLS where plain HTTP is asked for': async () => {
    const server = await served({ isUnknown: true })();
    return { ...server, url: server.url.replace('https:', 'http:') };
  },
};

/** Servers with which no safe connection can be had. */
export const tlsRows: readonly HostileRow[] = Object.entries(rows).map(([name, open]) => ({
  ...{ group: 'TLS', name, end: 'lost', open },
}));
