import { word } from '../kit/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import { type Make, mapped, rewriteBy, setTo } from '../kit/mutation.ts';
import {
  doubtful,
  fault,
  free,
  isText,
  like,
  missing,
  open,
  texts,
  type Form,
  type Member,
  type Table,
} from './form.ts';

/** An address as it is written. */
interface Address {
  readonly text: string;
  /** In lower case, without its port. */
  readonly host: string;
  /** As browsers read it. */
  readonly hostname: string;
  readonly protocol: string;
  readonly user: boolean;
  readonly password: boolean;
}

const at = (...hosts: readonly string[]) => hosts.map((host) => `https://${host}/cb`);
const otherSchemes = ['ftp://example.com/cb', 'javascript:0', 'wss://example.com/cb'];
const privateNames = at('hooks.internal', 'printer.local', 'nas.home.arpa');
const url = address(fault);
const mayBe = address(doubtful);

/** The table Callback data of flight alerts. */
const callbackTable: Table = {
  fid: {
    forms: [
      ...missing(fault, 'FLA-CBR-001', 'fid'),
      fault('FLA-CBR-002', 'number-fid', (fid) => typeof fid === 'number', setTo('fid', 12345)),
      // A reader that turns scalars into text takes it.
      fault('FLA-CBR-002', 'boolean-fid', (fid) => typeof fid === 'boolean', setTo('fid', true)),
      fault('FLA-CBR-002', 'fid-of-other-type', (fid) => !isText(fid), setTo('fid', [], {}, ['00123'])),
      fault('FLA-CBR-003', 'empty-fid', (fid) => fid === '', setTo('fid', '')),
      // ASCII letters only: the unit of the 255 characters is open (FLA-OPN-010).
      fault('FLA-CBR-004', 'fid-too-long', like(/^[\x20-\x7e]{256,}$/), longFid()),
      open(
        'fid-of-many-bytes',
        texts((fid) => Buffer.byteLength(fid) > 255),
        setTo('fid', 'é'.repeat(256)),
      ),
      open('fid-with-controls', like(/[\p{Cc}\u2028\u2029]|^\s|\s$/u), setTo('fid', ' ', 'a\n')),
      free('FLA-CBR-005', 'fid-of-255', like(/^[\x20-\x7e]{255}$/), setTo('fid', 'f'.repeat(255))),
    ],
    also: [
      free('FLA-CBR-023', 'fid-beyond-ascii', like(/[^\x20-\x7e]/), setTo('fid', 'fid-\u00e9')),
      free('FLA-CBR-090', 'fid-with-blank', like(/\S \S/), setTo('fid', 'one two')),
    ],
  },
  callbackUrl: {
    forms: [
      ...missing(fault, 'FLA-CBR-006', 'callbackUrl'),
      fault('FLA-CBR-006', 'number-callbackUrl', (url) => !isText(url), setTo('callbackUrl', 443)),
      fault(
        'FLA-CBR-013',
        'callbackUrl-no-url',
        texts((url) => !URL.canParse(url) && !url.includes('://')),
        setTo('callbackUrl', '', 'not a url', '/cb'),
      ),
      open(
        'callbackUrl-otherwise',
        texts((url) => !URL.canParse(url)),
        setTo('callbackUrl', 'https://exa mple.com/cb'),
      ),
      url(
        'FLA-CBR-007',
        'http',
        ({ protocol }) => protocol === 'http:',
        'http://example.com/cb',
        'http://example.com:443/cb',
      ),
      url('FLA-CBR-007', 'other-scheme', ({ protocol }) => protocol !== 'https:', ...otherSchemes),
      url('FLA-CBR-008', 'user', ({ user }) => user, ...at('user@example.com', 'user:pw@example.com')),
      url('FLA-CBR-008', 'password', ({ password }) => password, ...at(':pw@example.com')),
      url(
        'FLA-CBR-009',
        'ipv4-private',
        ({ host }) => isIpv4(host) && /^(10|192\.168)\./.test(host),
        ...at('10.0.0.1', '192.168.1.10'),
      ),
      url('FLA-CBR-009', 'ipv4', ({ host }) => isIpv4(host), ...at('8.8.8.8', '127.0.0.1', '8.8.8.8:8443')),
      url('FLA-CBR-010', 'ipv6-mapped', ({ host }) => host.startsWith('[::ffff:'), ...at('[::ffff:8.8.8.8]')),
      url(
        'FLA-CBR-010',
        'ipv6',
        ({ host }) => host.startsWith('['),
        ...at('[::1]', '[2001:4860:4860::8888]'),
      ),
      url(
        'FLA-CBR-011',
        'fragment',
        ({ text }) => /#./s.test(text),
        ...at('example.com').flatMap((one) => [`${one}#x`, `${one}?a=1#/b`]),
      ),
      // Addresses that are public nowhere; which others count as internal is open (FLA-OPN-012).
      url(
        'FLA-CBR-012',
        'localhost',
        ({ host }) => host === 'localhost',
        ...at('localhost', 'localhost:8443', 'LOCALHOST'),
      ),
      url(
        'FLA-CBR-012',
        'below-localhost',
        ({ host }) => host.endsWith('.localhost'),
        ...at('api.localhost', 'a.b.localhost:8443'),
      ),
      // The trailing dot of the DNS root may be written out.
      url(
        'FLA-CBR-012',
        'localhost-of-the-root',
        ({ host }) => host === 'localhost.',
        ...at('localhost.', 'localhost.:8443'),
      ),
      url(
        'FLA-CBR-012',
        'single-label',
        ({ host }) => /^[a-z][a-z-]*$/.test(host),
        ...at('intranet', 'partner-api:8443'),
      ),
      mayBe(
        'FLA-CBR-020',
        'ipv4-number',
        ({ host }) => /^(0x[0-9a-f]+|\d+)$/.test(host),
        ...at('2130706433', '0x7f000001'),
      ),
      mayBe(
        'FLA-CBR-020',
        'ipv4-short',
        ({ hostname }) => isIpv4(hostname),
        ...at('0x7f.1', '127.1', '0177.0.0.1'),
      ),
      mayBe(
        'FLA-CBR-021',
        'private-domain',
        ({ host }) => /\.(internal|local|home\.arpa)$/.test(host),
        ...privateNames,
      ),
      mayBe(
        'FLA-CBR-024',
        'empty-fragment',
        ({ text }) => text.endsWith('#'),
        ...at('example.com').flatMap((one) => [`${one}#`, `${one}?a=1#`]),
      ),
      // Whether HTTPS in capitals is the scheme is open (FLA-OPN-033), as is which hosts are internal.
      open(
        'callbackUrl-unusual',
        texts((text) => !/^https:\/\/[a-z0-9.-]+\.[a-z]+(:\d+)?\/[!-~]*$/.test(text)),
        setTo('callbackUrl', 'HTTPS://example.com/cb'),
      ),
    ],
    also: [
      free(
        'FLA-CBR-022',
        'callbackUrl-with-port',
        like(/^https:\/\/[^/]*:\d/),
        setTo('callbackUrl', ...at('example.com:8443')),
      ),
      free(
        'FLA-CBR-014',
        'callbackUrl-with-query',
        like(/\?./),
        setTo('callbackUrl', 'https://example.com/cb?a=1'),
      ),
    ],
  },
};

/** The member callbackData of a flight subscribe. */
export const flightCallbackData: Member = {
  inside: callbackTable,
  plain: { fid: '00gatecheck', callbackUrl: 'https://example.com/gatecheck/hook' },
  forms: [
    ...missing(free, 'FLA-SUB-003', 'callbackData'),
    fault(
      'FLA-CBR-018',
      'callbackData-not-object',
      (data) => !isJsonObject(data as JsonValue),
      setTo('callbackData', 'x', [], 1, true),
    ),
    fault(
      'FLA-CBR-018',
      'callbackData-empty',
      (data) => Object.keys(data as JsonObject).length === 0,
      setTo('callbackData', {}),
    ),
  ],
};

const isIpv4 = (host: string) => /^(\d{1,3}\.){3}\d{1,3}$/.test(host);

function address(form: typeof fault) {
  return (rule: string, name: string, has: (address: Address) => boolean, ...sent: readonly string[]): Form =>
    form(
      rule,
      `callbackUrl-${name}`,
      texts((text) => URL.canParse(text) && has(readAddress(text))),
      setTo('callbackUrl', ...sent),
    );
}

function readAddress(text: string): Address {
  const { hostname, protocol, username, password } = new URL(text);
  const host = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text.trim())?.[1] ?? '';
  const own = { user: username !== '', password: password !== '' };
  return { text, host: host.toLowerCase().replace(/:\d+$/, ''), hostname, protocol, ...own };
}

function longFid(): Make {
  return rewriteBy(
    'fid',
    mapped(word('abcdefghijklmnopqrstuvwxyz', 256, 256), (text) => () => text),
  );
}
