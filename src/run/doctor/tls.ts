import {
  checkServerIdentity,
  rootCertificates,
  connect,
  type ConnectionOptions,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { Settings } from '../../core/settings.ts';
import { adviceForFailure } from '../../send/failureAdvice.ts';
import { fail, ok, warn, type DoctorLine } from './render.ts';

const patienceMs = 5000;
/** How long a server may take to refuse a client that believes the handshake done. */
const afterthoughtMs = 400;
const dayMs = 86_400_000;
/** Renewing by hand takes some weeks. */
const soonDays = 21;

/** What a server shows in the handshake. */
interface Handshake {
  readonly protocol: string | null;
  /** Why the chain is not trusted; null if it is. */
  readonly distrust: string | null;
  readonly certificate: Pick<PeerCertificate, 'valid_from' | 'valid_to'> & { readonly issuer: string };
  /** Why the certificate is not of this host, which a distrusted chain would hide; null if it is. */
  readonly otherHost?: string | null;
  /** Whether the server sends its issuer's certificate, if one is needed. */
  readonly isWhole: boolean;
  /** What the server said as it ended the connection right after the handshake; null if it did not. */
  readonly refusal?: string | null;
}

/** Version, chain and expiry of each HTTPS address. Behind a proxy the handshake cannot be seen. */
export async function lookAtTls(settings: Settings, now: number): Promise<readonly DoctorLine[]> {
  if (settings.target.kind !== 'url' || settings.http.proxy !== null) return [];
  const origins = new Set(Object.values(settings.target.baseUrls).map((url) => new URL(url).origin));
  const lines: DoctorLine[] = [];
  if (settings.http.clientCert !== null) lines.push(...judgeClientCertificate(settings.http.clientCert, now));
  for (const origin of origins) {
    if (!origin.startsWith('https:')) continue;
    const seen =
      (await shakeHands(new URL(origin), settings)) ?? (await shakeHands(new URL(origin), settings, old));
    const shows = settings.http.clientCert !== null;
    if (seen !== null) lines.push(...judgeHandshake(seen, new URL(origin).host, { now, shows }));
  }
  return lines;
}

/** What Node refuses by default. */
const old: ConnectionOptions = { minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' };

/** Null if there is no handshake; the target's own line says why. */
function shakeHands(
  { hostname, port }: URL,
  { http }: Settings,
  offered: ConnectionOptions = {},
): Promise<Handshake | null> {
  const host = hostname.replace(/[[\]]/g, '');
  return new Promise((resolve) => {
    const isName = !/^[\d.]+$|:/.test(host);
    const socket: TLSSocket = connect({
      ...{ host, port: Number(port === '' ? 443 : port), rejectUnauthorized: false, ...offered },
      ...(isName ? { servername: host } : {}),
      ...(http.extraCa === null ? {} : { ca: [...rootCertificates, http.extraCa] }),
      ...(http.clientCert === null || http.clientKey === null
        ? {}
        : { cert: http.clientCert, key: http.clientKey }),
    });
    const finish = (seen: Handshake | null) => {
      clearTimeout(timeout);
      socket.destroy();
      resolve(seen);
    };
    const timeout = setTimeout(() => finish(null), patienceMs);
    let seen: Handshake | null = null;
    const leave = (why: string) => finish(seen && { ...seen, refusal: why });
    socket.on('error', (error: NodeJS.ErrnoException) => leave(error.code ?? error.message));
    socket.on('end', () => leave('it says nothing'));
    socket.once('secureConnect', () => {
      seen = handshakeOf(socket, host);
      // In TLS 1.3, a server looks at the client's certificate after the client's part is done.
      setTimeout(() => finish(seen), afterthoughtMs);
      socket.resume();
    });
  });
}

/** A server may show no certificate, or one with unreadable times. */
function handshakeOf(socket: TLSSocket, host: string): Handshake | null {
  const shown = socket.getPeerCertificate(true) as Partial<DetailedPeerCertificate>;
  const { valid_from: from = '', valid_to: to = '', issuer, issuerCertificate } = shown;
  if (Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) return null;
  const named = [issuer?.O, issuer?.CN].flat().find((name) => name !== undefined) ?? 'nobody';
  return {
    protocol: socket.getProtocol(),
    distrust: socket.authorized ? null : String(socket.authorizationError),
    otherHost: checkServerIdentity(host, shown as PeerCertificate)?.message.slice(0, 300) ?? null,
    certificate: { valid_from: from, valid_to: to, issuer: named.slice(0, 100) },
    isWhole: issuerCertificate !== undefined,
  };
}

const isOfChain = /UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;

/** The results of a handshake, and what to do about them: a certificate may be wrong in two ways, and both have to be mended. */
export function judgeHandshake(
  seen: Handshake,
  host: string,
  { now, shows = false }: { readonly now: number; readonly shows?: boolean },
): readonly DoctorLine[] {
  const lines = judgeTrust(seen, host, now);
  if (typeof seen.refusal === 'string' && lines.every(({ health }) => health !== 'fail'))
    return [refused(host, seen.refusal, shows)];
  const { otherHost = null, distrust } = seen;
  if (otherHost === null || distrust?.includes('ALTNAME') === true) return lines;
  const todo = adviceForFailure({ reason: 'tls', message: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  const failing = lines.filter(({ health }) => health !== 'ok');
  return [
    ...failing,
    fail('target', 'TLS', `${host}: the certificate is of another host (${otherHost})`, todo),
  ];
}

/** A server that wants a client certificate hears too late, in TLS 1.3, that it gets none, or a wrong one. */
function refused(host: string, why: string, shows: boolean): DoctorLine {
  const todo = shows
    ? 'The server refuses http.clientCert, as it seems: check its dates, and that the server trusts its authority.'
    : 'The server asks for a client certificate, as it seems: name it as http.clientCert and http.clientKey.';
  return fail('target', 'TLS', `${host} ends the connection right after the handshake (${why})`, todo);
}

/** The dates of the client's certificate, which a server checks and seldom names. */
export function judgeClientCertificate(pem: string, now: number): readonly DoctorLine[] {
  const { validFrom, validTo } = new X509Certificate(pem);
  const day = (text: string) => new Date(Date.parse(text)).toISOString().slice(0, 10);
  const subject = 'certificate';
  if (Date.parse(validTo) < now)
    return [fail('target', subject, `http.clientCert expired on ${day(validTo)}`, 'Have it renewed.')];
  if (Date.parse(validFrom) > now)
    return [
      fail(
        'target',
        subject,
        `http.clientCert is not valid until ${day(validFrom)}`,
        'Set the clock of this machine, or wait.',
      ),
    ];
  const days = Math.floor((Date.parse(validTo) - now) / dayMs);
  return days < soonDays
    ? [
        warn(
          'target',
          subject,
          `http.clientCert expires on ${day(validTo)}, ${days} days from now`,
          'Have it renewed.',
        ),
      ]
    : [];
}

function judgeTrust(
  { protocol, distrust, certificate: { valid_from: from, valid_to: to, issuer }, isWhole }: Handshake,
  host: string,
  now: number,
): readonly DoctorLine[] {
  const days = Math.floor((Date.parse(to) - now) / dayMs);
  const until = new Date(Date.parse(to)).toISOString().slice(0, 10);
  const named = `${host}: ${protocol ?? 'TLS'}, a certificate of ${issuer} until ${until}`;
  const isOld = protocol === 'TLSv1' || protocol === 'TLSv1.1';
  if (Date.parse(to) < now)
    return [fail('target', 'TLS', `${named}, which has expired`, 'Renew the certificate.')];
  if (Date.parse(from) > now)
    return [fail('target', 'TLS', `${named}, not valid yet`, 'Set the clock of this machine, or wait.')];
  if (isOld && distrust === null)
    return [
      fail(
        'target',
        'TLS',
        `${named}, which Node refuses`,
        'Offer TLS 1.2 or 1.3: older versions are broken.',
      ),
    ];
  if (distrust !== null) {
    const todo =
      isWhole || !isOfChain.test(distrust)
        ? adviceForFailure({ reason: 'tls', message: distrust })
        : `The server sends only its own certificate: let it also send that of ${issuer}, or name that as http.extraCa.`;
    return [fail('target', 'TLS', `${named}, which is not trusted (${distrust})`, todo)];
  }
  return days < soonDays
    ? [warn('target', 'TLS', `${named}, ${days} days from now`, 'Renew the certificate.')]
    : [ok('target', 'TLS', named)];
}
