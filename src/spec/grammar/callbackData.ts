import { drop, rewrite, setTo } from '../kit/mutation.ts';
import {
  free,
  is,
  isEmpty,
  isList,
  isObject,
  isText,
  like,
  missing,
  not,
  notText,
  open,
  texts,
  unfit,
  unlike,
  type Form,
  type Member,
  type Table,
} from './form.ts';
import { authHeaders, authNames } from './headers.ts';

const known = `^\\s*(${authHeaders.join('|')})`;
const knownName = new RegExp(`${known}\\s*(:|$)`, 'i');
const longerName = new RegExp(`${known}(?!\\s*(:|$))[^:\n]`, 'i');
const prefixedName = new RegExp(`^[^:\r\n]*[^:\s](${authHeaders.join('|')})\\s*(:|$)`, 'i');
const brokenLines = ['\r', '\n', '\r\n'].flatMap((end) => [`N: V${end}V`, `N: ${end}V`]);
const header = (...headers: readonly string[]) => setTo('auth_header', ...headers);
const url = (...urls: readonly string[]) => setTo('callbackUrl', ...urls);

/** The table Callback data of web check-in. All faults may be 400 or 422 (WCI-OPN-017). */
export const callbackTable: Table = {
  callbackUrl: {
    shape: { format: 'uri' },
    forms: [
      ...missing(unfit, 'WCI-CBR-001', 'callbackUrl'),
      unfit('WCI-CBR-017', 'callbackUrl-number', isScalar, setTo('callbackUrl', 5)),
      unfit(
        'WCI-CBR-017',
        'callbackUrl-object',
        notText,
        setTo('callbackUrl', { url: 'https://example.com/' }),
      ),
      unfit('WCI-CBR-003', 'callbackUrl-empty', is(''), url('')),
      // A relative path is a URI reference to some parsers: only a text with spaces is none to all.
      unfit(
        'WCI-CBR-003',
        'callbackUrl-not-uri',
        like(/^[^:/]* [^:/]*$/),
        url('not a url', 'this is no url at all'),
      ),
      open(
        'callbackUrl-otherwise',
        texts((text) => !URL.canParse(text)),
        url('/hook', 'hook'),
      ),
      open(
        'callbackUrl-unusual',
        unlike(/^https?:\/\/[a-z0-9.-]+(:\d+)?\/[\w./~-]*$/i),
        url('https://example.com/cb?a=1', 'ftp://example.com/cb'),
      ),
      free(
        'WCI-CBR-004',
        'callbackUrl-http',
        like(/^http:/i),
        rewrite('callbackUrl', (text) => text.replace(/^https/, 'http')),
      ),
      free(
        'WCI-CBR-022',
        'callbackUrl-with-port',
        like(/^https:\/\/[^/?#]*:\d/i),
        url('https://example.com:8443/gatecheck/hook'),
      ),
    ],
  },
  auth_header: {
    shape: { texts: [new RegExp(`${known}\\s*:[ \\t]*[^:\\r\\n]+$`, 'i')] },
    forms: [
      ...missing(unfit, 'WCI-CBR-002', 'auth_header'),
      unfit('WCI-CBR-018', 'auth_header-array', isList, setTo('auth_header', ['X-API-Key: gatecheck'])),
      unfit('WCI-CBR-018', 'auth_header-object', notText, setTo('auth_header', { 'X-API-Key': 'gatecheck' })),
      wrong('WCI-CBR-009', 'without-colon', like(/^[^:]*$/), 'N V', 'V'),
      wrong('WCI-CBR-012', 'trailing-line-feed', like(/^[^\r\n]*\n$/), 'N: V\n'),
      wrong('WCI-CBR-012', 'trailing-return', like(/^[^\r\n]*\r\n?$/), 'N: V\r', 'N: V\r\n'),
      wrong('WCI-CBR-012', 'line-break', like(/[\r\n]/), ...brokenLines),
      wrong('WCI-CBR-010', 'two-colons', like(/:[^]*:/), 'N: user:V', 'N: https://V', 'N:: V'),
      wrong('WCI-CBR-008', 'longer-name', like(longerName), 'X-API-Keys: V', 'X-API-Key-2: V'),
      // Readers that ask how a name ends take it for one of the two.
      wrong('WCI-CBR-008', 'prefixed-name', like(prefixedName), 'Proxy-Authorization: V', 'Old-X-API-Key: V'),
      wrong('WCI-CBR-008', 'other-name', unlike(knownName), 'X-Custom: V', 'Cookie: V'),
      // Nothing behind the colon: a value of spaces is open (WCI-OPN-044).
      wrong('WCI-CBR-011', 'empty-value', like(/:$/), 'N:'),
      open(
        'auth_header-spacing',
        unlike(/^\S+: \S(.*\S)?$/),
        rewrite('auth_header', ...[':', ':   '].map((colon) => (text: string) => text.replace(': ', colon))),
      ),
      // Which characters a value may have is not said.
      open('auth_header-unusual', like(/: .*[^\x21-\x7e ]|.{256}/), header('X-API-Key: \u00e9')),
    ],
    also: ['WCI-CBR-005', 'WCI-CBR-006', 'WCI-CBR-007'].map(named),
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
    unfit('WCI-CBR-019', 'callbackData-empty-list', isEmpty, setTo('callbackData', [])),
    unfit(
      'WCI-CBR-019',
      'callbackData-array',
      isList,
      setTo('callbackData', ['https://example.com/gatecheck/hook']),
    ),
    // Some readers take these for nothing; an empty text may be one by intention.
    unfit('WCI-CBR-019', 'callbackData-false', isNothing, setTo('callbackData', false, 0)),
    unfit('WCI-CBR-019', 'callbackData-true', not(isObject), setTo('callbackData', true)),
  ],
};

/** A header whose name is one of two, or either in another case. */
function named(rule: string): Form {
  const names = authNames.filter((one) => one.rule === rule).map(({ name }) => name);
  const sent = header(...names.map((name) => `${name}: gatecheck`));
  const [first = ''] = names;
  return rule === 'WCI-CBR-007'
    ? free(rule, 'auth_header-of-any-case', unlike(new RegExp(`^(${authHeaders.join('|')}):`)), sent)
    : free(rule, `auth_header-${first}`, like(new RegExp(`^${first}:`, 'i')), sent);
}

/** Whether it may be left out is open, and so is what any other than a text means (WCI-OPN-047). */
function client(member: string): Member {
  return {
    shape: { point: 'WCI-OPN-003' },
    forms: [
      open(`${member}-otherwise`, (value) => !isText(value) || value === '', drop(member)),
      free('WCI-CBR-015', `${member}-given`, isText, setTo(member, 'gatecheck')),
    ],
  };
}

function isNothing(value: unknown): boolean {
  return value === false || value === 0;
}

function isScalar(value: unknown): boolean {
  return !isText(value) && typeof value !== 'object';
}

/** A header that is refused, made from a valid one: N stands for its name, V for its value. */
function wrong(rule: string, name: string, fits: Form['fits'], ...patterns: readonly string[]): Form {
  const rewrites = patterns.map((pattern) => (valid: string) => {
    const [field = '', value = ''] = valid.split(/: ?/);
    return pattern.replace(/[NV]/g, (letter) => (letter === 'N' ? field : value));
  });
  return unfit(rule, `auth_header-${name}`, fits, rewrite('auth_header', ...rewrites));
}
