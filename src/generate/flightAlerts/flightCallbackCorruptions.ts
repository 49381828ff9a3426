import * as fc from 'fast-check';
import { drop, row, setTo, type Corruption, type Mutation } from '../kit/corruption.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import { oneOf } from '../kit/text.ts';

/** Faults of a flight subscription's callbackData; a polling-only subscription gets a callback first. */
export const flightCallbackCorruptions: readonly Corruption[] = [
  fault('FLA-CBR-001', 'absent-fid', drop('fid')),
  fault('FLA-CBR-001', 'null-fid', setTo('fid', null)),
  fault('FLA-CBR-002', 'number-fid', setTo('fid', 12345)),
  // A reader that turns scalars into text takes it.
  fault('FLA-CBR-002', 'boolean-fid', setTo('fid', true)),
  fault('FLA-CBR-002', 'fid-of-other-type', setTo('fid', [], {}, ['00123'])),
  fault('FLA-CBR-003', 'empty-fid', setTo('fid', '')),
  // ASCII letters only: the unit of the 255 characters is open (FLA-OPN-010).
  fault('FLA-CBR-004', 'fid-too-long', longFid()),
  fault('FLA-CBR-006', 'absent-callbackUrl', drop('callbackUrl')),
  fault('FLA-CBR-006', 'null-callbackUrl', setTo('callbackUrl', null)),
  fault('FLA-CBR-006', 'number-callbackUrl', setTo('callbackUrl', 443)),
  url('FLA-CBR-007', 'callbackUrl-http', 'http://example.com/cb', 'http://example.com:443/cb'),
  url(
    'FLA-CBR-007',
    'callbackUrl-other-scheme',
    'ftp://example.com/cb',
    'javascript:0',
    'wss://example.com/cb',
  ),
  url('FLA-CBR-008', 'callbackUrl-user', 'https://user@example.com/cb', 'https://user:pw@example.com/cb'),
  url('FLA-CBR-008', 'callbackUrl-password', 'https://:pw@example.com/cb'),
  url(
    'FLA-CBR-009',
    'callbackUrl-ipv4',
    'https://8.8.8.8/cb',
    'https://127.0.0.1/cb',
    'https://8.8.8.8:8443/cb',
  ),
  url('FLA-CBR-009', 'callbackUrl-ipv4-private', 'https://10.0.0.1/cb', 'https://192.168.1.10/cb'),
  url('FLA-CBR-020', 'callbackUrl-ipv4-number', 'https://2130706433/cb', 'https://0x7f000001/cb'),
  url(
    'FLA-CBR-020',
    'callbackUrl-ipv4-short',
    'https://0x7f.1/cb',
    'https://127.1/cb',
    'https://0177.0.0.1/cb',
  ),
  url('FLA-CBR-010', 'callbackUrl-ipv6', 'https://[::1]/cb', 'https://[2001:4860:4860::8888]/cb'),
  url('FLA-CBR-010', 'callbackUrl-ipv6-mapped', 'https://[::ffff:8.8.8.8]/cb'),
  url('FLA-CBR-011', 'callbackUrl-fragment', 'https://example.com/cb#x', 'https://example.com/cb?a=1#/b'),
  url('FLA-CBR-024', 'callbackUrl-empty-fragment', 'https://example.com/cb#', 'https://example.com/cb?a=1#'),
  // Addresses that are public nowhere; which others count as internal is open (FLA-OPN-012).
  url(
    'FLA-CBR-012',
    'callbackUrl-localhost',
    'https://localhost/cb',
    'https://localhost:8443/cb',
    'https://LOCALHOST/cb',
  ),
  url(
    'FLA-CBR-012',
    'callbackUrl-below-localhost',
    'https://api.localhost/cb',
    'https://a.b.localhost:8443/cb',
  ),
  // The trailing dot of the DNS root may be written out.
  url(
    'FLA-CBR-012',
    'callbackUrl-localhost-of-the-root',
    'https://localhost./cb',
    'https://localhost.:8443/cb',
  ),
  url('FLA-CBR-012', 'callbackUrl-single-label', 'https://intranet/cb', 'https://partner-api:8443/cb'),
  url(
    'FLA-CBR-021',
    'callbackUrl-private-domain',
    'https://hooks.internal/cb',
    'https://printer.local/cb',
    'https://nas.home.arpa/cb',
  ),
  url('FLA-CBR-013', 'callbackUrl-no-url', '', 'not a url', '/cb'),
  row('FLA-CBR-018', 'callbackData-not-object', setTo('callbackData', 'x', [], 1, true)),
  row('FLA-CBR-018', 'callbackData-empty', setTo('callbackData', {})),
];

const plainCallback: JsonObject = { fid: '00gatecheck', callbackUrl: 'https://example.com/gatecheck/hook' };

function url(rule: string, name: string, ...texts: readonly JsonValue[]): Corruption {
  return fault(rule, name, setTo('callbackUrl', ...texts));
}

function fault(rule: string, name: string, edit: fc.Arbitrary<Mutation>): Corruption {
  const apply = edit.map((change) => (body: JsonObject): JsonObject => {
    const { callbackData } = body;
    return { ...body, callbackData: change(isJsonObject(callbackData) ? callbackData : plainCallback) };
  });
  return row(rule, name, apply);
}

function longFid(): fc.Arbitrary<Mutation> {
  return fc
    .string({ unit: oneOf('abcdefghijklmnopqrstuvwxyz'), minLength: 256, maxLength: 256 })
    .map((fid) => (callback: JsonObject) => ({ ...callback, fid }));
}
