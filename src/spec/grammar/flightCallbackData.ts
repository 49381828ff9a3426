import * as fc from 'fast-check';
import { oneOf } from '../kit/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import { rewriteBy, setTo } from '../kit/mutation.ts';
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
  readonly url: URL;
  /** The host as it is written, in lower case, without its port. */
  readonly host: string;
}

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
      free('FLA-CBR-005', 'fid-of-255', like(/^[\x20-\x7e]{255}$/), setTo('fid', 'f'.repeat(255))),
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
      address(
        fault,
        'FLA-CBR-007',
        'callbackUrl-http',
        ({ url }) => url.protocol === 'http:',
        'http://example.com/cb',
        'http://example.com:443/cb',
      ),
      address(
        fault,
        'FLA-CBR-007',
        'callbackUrl-other-scheme',
        ({ url }) => url.protocol !== 'https:',
        'ftp://example.com/cb',
        'javascript:0',
        'wss://example.com/cb',
      ),
      address(
        fault,
        'FLA-CBR-008',
        'callbackUrl-user',
        ({ url }) => url.username !== '',
        'https://user@example.com/cb',
        'https://user:pw@example.com/cb',
      ),
      address(
        fault,
        'FLA-CBR-008',
        'callbackUrl-password',
        ({ url }) => url.password !== '',
        'https://:pw@example.com/cb',
      ),
      address(
        fault,
        'FLA-CBR-009',
        'callbackUrl-ipv4-private',
        ({ host }) => isIpv4(host) && /^(10|192\.168)\./.test(host),
        'https://10.0.0.1/cb',
        'https://192.168.1.10/cb',
      ),
      address(
        fault,
        'FLA-CBR-009',
        'callbackUrl-ipv4',
        ({ host }) => isIpv4(host),
        'https://8.8.8.8/cb',
        'https://127.0.0.1/cb',
        'https://8.8.8.8:8443/cb',
      ),
      address(
        fault,
        'FLA-CBR-010',
        'callbackUrl-ipv6-mapped',
        ({ host }) => host.startsWith('[::ffff:'),
        'https://[::ffff:8.8.8.8]/cb',
      ),
      address(
        fault,
        'FLA-CBR-010',
        'callbackUrl-ipv6',
        ({ host }) => host.startsWith('['),
        'https://[::1]/cb',
        'https://[2001:4860:4860::8888]/cb',
      ),
      address(
        fault,
        'FLA-CBR-011',
        'callbackUrl-fragment',
        ({ text }) => /#./s.test(text),
        'https://example.com/cb#x',
        'https://example.com/cb?a=1#/b',
      ),
      // Addresses that are public nowhere; which others count as internal is open (FLA-OPN-012).
      address(
        fault,
        'FLA-CBR-012',
        'callbackUrl-localhost',
        ({ host }) => host === 'localhost',
        'https://localhost/cb',
        'https://localhost:8443/cb',
        'https://LOCALHOST/cb',
      ),
      address(
        fault,
        'FLA-CBR-012',
        'callbackUrl-below-localhost',
        ({ host }) => host.endsWith('.localhost'),
        'https://api.localhost/cb',
        'https://a.b.localhost:8443/cb',
      ),
      // The trailing dot of the DNS root may be written out.
      address(
        fault,
        'FLA-CBR-012',
        'callbackUrl-localhost-of-the-root',
        ({ host }) => host === 'localhost.',
        'https://localhost./cb',
        'https://localhost.:8443/cb',
      ),
      address(
        fault,
        'FLA-CBR-012',
        'callbackUrl-single-label',
        ({ host }) => /^[a-z][a-z-]*$/.test(host),
        'https://intranet/cb',
        'https://partner-api:8443/cb',
      ),
      address(
        doubtful,
        'FLA-CBR-020',
        'callbackUrl-ipv4-number',
        ({ host }) => /^(0x[0-9a-f]+|\d+)$/.test(host),
        'https://2130706433/cb',
        'https://0x7f000001/cb',
      ),
      address(
        doubtful,
        'FLA-CBR-020',
        'callbackUrl-ipv4-short',
        ({ url }) => isIpv4(url.hostname),
        'https://0x7f.1/cb',
        'https://127.1/cb',
        'https://0177.0.0.1/cb',
      ),
      address(
        doubtful,
        'FLA-CBR-021',
        'callbackUrl-private-domain',
        ({ host }) => /\.(internal|local|home\.arpa)$/.test(host),
        'https://hooks.internal/cb',
        'https://printer.local/cb',
        'https://nas.home.arpa/cb',
      ),
      address(
        doubtful,
        'FLA-CBR-024',
        'callbackUrl-empty-fragment',
        ({ text }) => text.endsWith('#'),
        'https://example.com/cb#',
        'https://example.com/cb?a=1#',
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

function address(
  form: typeof fault,
  rule: string,
  name: string,
  has: (address: Address) => boolean,
  ...sent: readonly string[]
): Form {
  return form(
    rule,
    name,
    texts((text) => {
      const url = URL.parse(text);
      const host =
        /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text.trim())?.[1]?.toLowerCase().replace(/:\d+$/, '') ??
        '';
      return url !== null && has({ text, url, host });
    }),
    setTo('callbackUrl', ...sent),
  );
}

function longFid() {
  const fid = fc.string({ unit: oneOf('abcdefghijklmnopqrstuvwxyz'), minLength: 256, maxLength: 256 });
  return rewriteBy(
    'fid',
    fid.map((text) => () => text),
  );
}
