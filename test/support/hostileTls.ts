import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TlsOptions } from 'node:tls';
import { generate } from 'selfsigned';

const dayMs = 86_400_000;

/** A certificate below a private authority and an intermediate one. */
interface Chain {
  /** What a client has to know. */
  readonly root: string;
  readonly intermediate: string;
  readonly leaf: string;
  readonly key: string;
}

interface ChainOptions {
  readonly host?: string;
  /** Days from now between which the certificate is valid. */
  readonly days?: readonly [from: number, to: number];
}

/** A chain of three certificates for a host, 127.0.0.1 by default. */
export async function makeChain({ host = '127.0.0.1', days = [-2, 90] }: ChainOptions = {}): Promise<Chain> {
  const elliptic = { keyType: 'ec', algorithm: 'sha256' } as const;
  const long = { notBeforeDate: inDays(-400), notAfterDate: inDays(400) };
  const authority = [
    { name: 'basicConstraints' as const, cA: true, critical: true },
    { name: 'keyUsage' as const, keyCertSign: true, cRLSign: true, critical: true },
  ];
  const root = await generate(named('Test root'), { ...elliptic, ...long, extensions: authority });
  const middle = await generate(named('Test intermediate'), {
    ...{ ...elliptic, ...long, extensions: authority },
    ca: { key: root.private, cert: root.cert },
  });
  const leaf = await generate(named('Test server'), {
    ...elliptic,
    ...{ notBeforeDate: inDays(days[0]), notAfterDate: inDays(days[1]) },
    ca: { key: middle.private, cert: middle.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [altName(host)] },
    ],
  });
  const [top, between, own] = [root.cert, middle.cert, leaf.cert].map((pem) => `${pem.trim()}\n`);
  return { root: top ?? '', intermediate: between ?? '', leaf: own ?? '', key: leaf.private };
}

/** A certificate of an RSA key that is too short, which vouches for itself. */
export async function makeWeakCertificate(): Promise<Pick<Chain, 'root' | 'key'>> {
  const { cert, private: key } = await generate(named('Test server'), {
    ...{ keyType: 'rsa', keySize: 1024, algorithm: 'sha256' },
    extensions: [{ name: 'subjectAltName', altNames: [altName('127.0.0.1')] }],
  });
  return { root: cert, key };
}

/** A TLS server of this machine that says the same to whatever it is asked; null for silence. */
export async function openTlsServer(
  options: TlsOptions,
  says: string | null = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
) {
  const server = createServer(options, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => says !== null && socket.write(says));
  });
  const close = closing(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function closing(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

function named(value: string) {
  return [{ name: 'commonName', value }];
}

function altName(host: string) {
  return /^[\d.]+$/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host };
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * dayMs);
}
