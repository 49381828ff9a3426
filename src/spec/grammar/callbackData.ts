import { isJsonObject, type JsonValue } from '../kit/json.ts';
import { drop, type Make, rewrite, setTo } from '../kit/mutation.ts';
import {
  free,
  isText,
  like,
  missing,
  open,
  texts,
  unfit,
  type Form,
  type Member,
  type Table,
} from './form.ts';

interface Header {
  readonly name: string;
  readonly value: string;
}

/** The table Callback data of web check-in. All faults may be 400 or 422 (WCI-OPN-017). */
const callbackTable: Table = {
  callbackUrl: {
    forms: [
      ...missing(unfit, 'WCI-CBR-001', 'callbackUrl'),
      unfit(
        'WCI-CBR-017',
        'callbackUrl-number',
        (url) => !isText(url) && typeof url !== 'object',
        setTo('callbackUrl', 5),
      ),
      unfit(
        'WCI-CBR-017',
        'callbackUrl-object',
        (url) => !isText(url),
        setTo('callbackUrl', { url: 'https://example.com/' }),
      ),
      unfit('WCI-CBR-003', 'callbackUrl-empty', (url) => url === '', setTo('callbackUrl', '')),
      // A relative path is a URI reference to some parsers: only a text with spaces is none to all.
      unfit(
        'WCI-CBR-003',
        'callbackUrl-not-uri',
        like(/^[^:/]* [^:/]*$/),
        setTo('callbackUrl', 'not a url', 'this is no url at all'),
      ),
      open(
        'callbackUrl-otherwise',
        texts((url) => !URL.canParse(url)),
        setTo('callbackUrl', '/hook', 'hook'),
      ),
      open(
        'callbackUrl-unusual',
        texts((url) => !/^https?:\/\/[a-z0-9.-]+(:\d+)?\/[\w./~-]*$/i.test(url)),
        setTo('callbackUrl', 'https://example.com/cb?a=1', 'ftp://example.com/cb'),
      ),
      free(
        'WCI-CBR-004',
        'callbackUrl-http',
        like(/^http:/i),
        rewrite('callbackUrl', (url) => url.replace(/^https/, 'http')),
      ),
      free(
        'WCI-CBR-022',
        'callbackUrl-with-port',
        like(/^https:\/\/[^/?#]*:\d/i),
        setTo('callbackUrl', 'https://example.com:8443/gatecheck/hook'),
      ),
    ],
  },
  auth_header: {
    forms: [
      ...missing(unfit, 'WCI-CBR-002', 'auth_header'),
      unfit(
        'WCI-CBR-018',
        'auth_header-array',
        (header) => Array.isArray(header),
        setTo('auth_header', ['X-API-Key: gatecheck']),
      ),
      unfit(
        'WCI-CBR-018',
        'auth_header-object',
        (header) => !isText(header),
        setTo('auth_header', { 'X-API-Key': 'gatecheck' }),
      ),
      header(
        'WCI-CBR-009',
        'auth_header-without-colon',
        ({ value }) => value === undefined,
        ({ name, value }) => [`${name} ${value}`, value],
      ),
      header(
        'WCI-CBR-012',
        'auth_header-trailing-line-feed',
        ({ text }) => /^[^\r\n]*\n$/.test(text),
        ({ name, value }) => [`${name}: ${value}\n`],
      ),
      header(
        'WCI-CBR-012',
        'auth_header-trailing-return',
        ({ text }) => /^[^\r\n]*\r\n?$/.test(text),
        ({ name, value }) => [`${name}: ${value}\r`, `${name}: ${value}\r\n`],
      ),
      header(
        'WCI-CBR-012',
        'auth_header-line-break',
        ({ text }) => /[\r\n]/.test(text),
        ({ name, value }) =>
          ['\r', '\n', '\r\n'].flatMap((end) => [
            `${name}: ${value}${end}${value}`,
            `${name}: ${end}${value}`,
          ]),
      ),
      header(
        'WCI-CBR-010',
        'auth_header-two-colons',
        ({ more }) => more,
        ({ name, value }) => [`${name}: user:${value}`, `${name}: https://${value}`, `${name}:: ${value}`],
      ),
      header(
        'WCI-CBR-008',
        'auth_header-longer-name',
        ({ name }) => /^\s*(x-api-key|authorization)./i.test(name) && !isKnown(name),
        ({ value }) => [`X-API-Keys: ${value}`, `X-API-Key-2: ${value}`],
      ),
      header(
        'WCI-CBR-008',
        'auth_header-other-name',
        ({ name }) => !isKnown(name),
        ({ value }) => [`X-Custom: ${value}`, `Cookie: ${value}`],
      ),
      // Nothing behind the colon: a value of spaces is open (WCI-OPN-044).
      header(
        'WCI-CBR-011',
        'auth_header-empty-value',
        ({ value }) => value === '',
        ({ name }) => [`${name}:`],
      ),
      open(
        'auth_header-spacing',
        (text) => isText(text) && !/^\S+: \S(.*\S)?$/.test(text),
        rewrite(
          'auth_header',
          (text) => text.replace(': ', ':'),
          (text) => text.replace(': ', ':   '),
        ),
      ),
      // Which characters a value may have is not said.
      open(
        'auth_header-unusual',
        like(/: .*[^\x21-\x7e ]|.{256}/),
        setTo('auth_header', 'X-API-Key: \u00e9'),
      ),
    ],
    also: [
      free(
        'WCI-CBR-005',
        'auth_header-X-API-Key',
        like(/^X-API-Key:/i),
        setTo('auth_header', 'X-API-Key: gatecheck'),
      ),
      free(
        'WCI-CBR-006',
        'auth_header-Authorization',
        like(/^Authorization:/i),
        setTo('auth_header', 'Authorization: gatecheck'),
      ),
      free(
        'WCI-CBR-007',
        'auth_header-of-any-case',
        like(/^(?!X-API-Key:|Authorization:)/),
        setTo('auth_header', 'x-api-key: gatecheck', 'AUTHORIZATION: gatecheck'),
      ),
    ],
  },
  clientId: client('clientId'),
  clientName: client('clientName'),
};

/** The member callbackData of a web check-in subscribe. */
export const callbackData: Member = {
  inside: callbackTable,
  plain: {
    callbackUrl: 'https://example.com/gatecheck/hook',
    auth_header: 'Authorization: gatecheck-synthetic',
    // Both given, since a service may demand them (WCI-OPN-003).
    clientId: 'gatecheck',
    clientName: 'Gatecheck',
  },
  forms: [
    ...missing(free, 'WCI-SUB-059', 'callbackData'),
    unfit(
      'WCI-CBR-019',
      'callbackData-text',
      isText,
      setTo('callbackData', 'https://example.com/gatecheck/hook'),
    ),
    unfit(
      'WCI-CBR-019',
      'callbackData-array',
      (data) => Array.isArray(data),
      setTo('callbackData', ['https://example.com/gatecheck/hook']),
    ),
    unfit(
      'WCI-CBR-019',
      'callbackData-true',
      (data) => !isJsonObject(data as JsonValue),
      setTo('callbackData', true),
    ),
  ],
};

/** Whether it may be left out is open (WCI-OPN-003), and so is what any other than a text means (WCI-OPN-047). */
function client(member: string): Member {
  return {
    forms: [
      open(`${member}-otherwise`, (value) => !isText(value) || value === '', drop(member)),
      free('WCI-CBR-015', `${member}-given`, isText, setTo(member, 'gatecheck')),
    ],
  };
}

const isKnown = (name: string) => /^\s*(x-api-key|authorization)\s*$/i.test(name);

interface SentHeader {
  readonly text: string;
  readonly name: string;
  readonly value: string | undefined;
  /** Whether there is a second colon. */
  readonly more: boolean;
}

function header(
  rule: string,
  name: string,
  has: (header: SentHeader) => boolean,
  variants: (valid: Header) => readonly string[],
): Form {
  const rewrites = Array.from(
    { length: variants({ name: '', value: '' }).length },
    (_, index) => (valid: string) => {
      const [field = '', value = ''] = valid.split(/: ?/);
      return variants({ name: field, value })[index] ?? '';
    },
  );
  const make: Make = rewrite('auth_header', ...rewrites);
  return unfit(
    rule,
    name,
    texts((text) => {
      const [field = '', value, ...more] = text.split(':');
      return has({ text, name: field, value, more: more.length > 0 });
    }),
    make,
  );
}
