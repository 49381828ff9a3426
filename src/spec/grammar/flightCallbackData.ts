import { word } from '../kit/characters.ts';
import type { JsonValue } from '../kit/json.ts';
import { mapped, rewriteBy, setTo } from '../kit/mutation.ts';
import {
  doubtful,
  fault,
  free,
  is,
  isObject,
  like,
  missing,
  not,
  notText,
  open,
  texts,
  unlike,
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
  readonly username: string;
  readonly password: string;
}

/** A part of an address that is like this. */
const part = (name: keyof Address, pattern: RegExp) => (address: Address) => pattern.test(address[name]);
const host = (pattern: RegExp) => part('host', pattern);
const sent = (...urls: readonly JsonValue[]) => setTo('callbackUrl', ...urls);
const at = (...hosts: readonly string[]) => hosts.map((host) => `https://${host}/cb`);
const ofLocalhost = at('localhost', 'localhost:8443', 'LOCALHOST');
const belowLocalhost = at('api.localhost', 'a.b.localhost:8443');
const privateNames = at('hooks.internal', 'printer.local', 'nas.home.arpa');
const otherSchemes = ['ftp://example.com/cb', 'javascript:0', 'wss://example.com/cb'];
const ipv4 = /^(\d{1,3}\.){3}\d{1,3}$/;
const privateIpv4 = /^(?=(\d{1,3}\.){3}\d{1,3}$)(10|192\.168)\./;
const privateDomain = /\.(internal|local|home\.arpa)$/;
const publicName = /^https:\/\/[a-z0-9.-]+\.[a-z]+(:\d+)?\/[!-~]*$/;
const url = address(fault);
const mayBe = address(doubtful);
const longest = 255;
const longFid = mapped(word('abcdefghijklmnopqrstuvwxyz', longest + 1), (text) => () => text);

/** The table Callback data of flight alerts. */
export const flightCallbackTable: Table = {
  fid: {
    // The unit of its characters is open.
    shape: { longest, point: 'FLA-OPN-010' },
    forms: [
      ...missing(fault, 'FLA-CBR-001', 'fid'),
      fault('FLA-CBR-002', 'number-fid', (fid) => typeof fid === 'number', setTo('fid', 12345)),
      // A reader that turns scalars into text takes it.
      fault('FLA-CBR-002', 'boolean-fid', (fid) => typeof fid === 'boolean', setTo('fid', true)),
      fault('FLA-CBR-002', 'fid-of-other-type', notText, setTo('fid', [], {}, ['00123'])),
      fault('FLA-CBR-003', 'empty-fid', is(''), setTo('fid', '')),
      fault('FLA-CBR-004', 'fid-too-long', ascii(longest + 1, ''), rewriteBy('fid', longFid)),
      open('fid-of-many-bytes', texts(hasManyBytes), setTo('fid', 'é'.repeat(longest + 1))),
      open(
        'fid-with-controls',
        like(/[\p{Cc}\p{Cs}\u2028\u2029]|^\s|\s$/u),
        setTo('fid', ' ', 'a\n', 'a\ud83d'),
      ),
      // Programs that ask whether a text is true take this one for none.
      free('FLA-CBR-005', 'fid-of-one', ascii(1), setTo('fid', '0')),
      free('FLA-CBR-005', 'fid-of-255', ascii(longest), setTo('fid', 'f'.repeat(longest))),
    ],
    also: [
      free('FLA-CBR-023', 'fid-beyond-ascii', like(/[^\x20-\x7e]/), setTo('fid', 'fid-\u00e9')),
      free('FLA-CBR-090', 'fid-with-blank', like(/\S \S/), setTo('fid', 'one two')),
    ],
  },
  callbackUrl: {
    shape: { format: 'uri', texts: [/^https:\/\/[^/?#@]+([/?][^#]*)?$/i] },
    forms: [
      ...missing(fault, 'FLA-CBR-006', 'callbackUrl'),
      fault('FLA-CBR-006', 'number-callbackUrl', notText, sent(443)),
      fault('FLA-CBR-013', 'callbackUrl-no-url', texts(isNoUrl), sent('', 'not a url', '/cb')),
      open('callbackUrl-otherwise', texts(isUnread), sent('https://exa mple.com/cb')),
      url(
        'FLA-CBR-007',
        'http',
        part('protocol', /^http:/),
        'http://example.com/cb',
        'http://example.com:443/cb',
      ),
      url('FLA-CBR-007', 'other-scheme', part('protocol', /^(?!https:)/), ...otherSchemes),
      url('FLA-CBR-008', 'user', part('username', /./s), ...at('user@example.com', 'user:pw@example.com')),
      url('FLA-CBR-008', 'password', part('password', /./s), ...at(':pw@example.com')),
      url('FLA-CBR-009', 'ipv4-private', host(privateIpv4), ...at('10.0.0.1', '192.168.1.10')),
      url('FLA-CBR-009', 'ipv4', host(ipv4), ...at('8.8.8.8', '127.0.0.1', '8.8.8.8:8443')),
      url('FLA-CBR-010', 'ipv6-mapped', host(/^\[::ffff:/), ...at('[::ffff:8.8.8.8]')),
      url('FLA-CBR-010', 'ipv6', host(/^\[/), ...at('[::1]', '[2001:4860:4860::8888]')),
      url('FLA-CBR-011', 'fragment', part('text', /#./s), ...ending('#x', '?a=1#/b')),
      // Addresses that are public nowhere; which others count as internal is open (FLA-OPN-012).
      url('FLA-CBR-012', 'localhost', host(/^localhost$/), ...ofLocalhost),
      url('FLA-CBR-012', 'below-localhost', host(/\.localhost$/), ...belowLocalhost),
      // The trailing dot of the DNS root may be written out.
      url(
        'FLA-CBR-012',
        'localhost-of-the-root',
        host(/^localhost\.$/),
        ...at('localhost.', 'localhost.:8443'),
      ),
      url('FLA-CBR-012', 'single-label', host(/^[a-z][a-z-]*$/), ...at('intranet', 'partner-api:8443')),
      mayBe('FLA-CBR-020', 'ipv4-number', host(/^(0x[0-9a-f]+|\d+)$/), ...at('2130706433', '0x7f000001')),
      mayBe('FLA-CBR-020', 'ipv4-short', part('hostname', ipv4), ...at('0x7f.1', '127.1', '0177.0.0.1')),
      mayBe('FLA-CBR-021', 'private-domain', host(privateDomain), ...privateNames),
      mayBe('FLA-CBR-024', 'empty-fragment', part('text', /#$/), ...ending('#', '?a=1#')),
      // Whether HTTPS in capitals is the scheme is open (FLA-OPN-033), as is which hosts are internal.
      open('callbackUrl-unusual', unlike(publicName), sent('HTTPS://example.com/cb')),
    ],
    also: [
      free(
        'FLA-CBR-022',
        'callbackUrl-with-port',
        like(/^https:\/\/[^/]*:\d/),
        sent(...at('example.com:8443')),
      ),
      free('FLA-CBR-014', 'callbackUrl-with-query', like(/\?./), sent(...ending('?a=1'))),
    ],
  },
};

/** The member callbackData of a flight subscribe. */
export const flightCallbackData: Member = {
  inside: flightCallbackTable,
  plain: { fid: '00gatecheck', callbackUrl: 'https://example.com/gatecheck/hook' },
  forms: [
    ...missing(free, 'FLA-SUB-003', 'callbackData'),
    fault('FLA-CBR-018', 'callbackData-not-object', not(isObject), setTo('callbackData', 'x', [], 1, true)),
    fault('FLA-CBR-018', 'callbackData-empty', isEmpty, setTo('callbackData', {})),
  ],
};

/** A text of so many ASCII characters, which are as many in every unit. */
function ascii(least: number, most: number | '' = least): Form['fits'] {
  return like(new RegExp(`^[\\x20-\\x7e]{${least},${most}}$`));
}

function hasManyBytes(text: string): boolean {
  return Buffer.byteLength(text) > longest;
}

function isUnread(text: string): boolean {
  return !URL.canParse(text);
}

function isNoUrl(text: string): boolean {
  return isUnread(text) && !text.includes('://');
}

function isEmpty(data: unknown): boolean {
  return isObject(data) && Object.keys(data).length === 0;
}

function ending(...ends: readonly string[]): readonly string[] {
  return ends.map((end) => `https://example.com/cb${end}`);
}

function address(form: typeof fault) {
  return (rule: string, name: string, has: (address: Address) => boolean, ...urls: readonly string[]): Form =>
    form(
      rule,
      `callbackUrl-${name}`,
      texts((text) => URL.canParse(text) && has(readAddress(text))),
      sent(...urls),
    );
}

function readAddress(text: string): Address {
  const { hostname, protocol, username, password } = new URL(text);
  const host = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text.trim())?.[1] ?? '';
  return { text, host: host.toLowerCase().replace(/:\d+$/, ''), hostname, protocol, username, password };
}
