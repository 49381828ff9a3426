import type * as fc from 'fast-check';
import { drop, rewrite, row, setTo, type Corruption, type Mutation } from '../kit/corruption.ts';
import { isJsonObject, type JsonObject } from '../kit/json.ts';

/** Faults of a subscribe's callbackData; a booking without callback gets one first. All may be 400 or 422 (WCI-OPN-017). */
export const checkinCallbackCorruptions: readonly Corruption[] = [
  fault('WCI-CBR-001', 'absent-callbackUrl', drop('callbackUrl')),
  fault('WCI-CBR-001', 'null-callbackUrl', setTo('callbackUrl', null)),
  fault('WCI-CBR-002', 'absent-auth_header', drop('auth_header')),
  fault('WCI-CBR-002', 'null-auth_header', setTo('auth_header', null)),
  fault('WCI-CBR-003', 'callbackUrl-not-uri', setTo('callbackUrl', 'not a url', 'this is no url at all')),
  fault('WCI-CBR-003', 'callbackUrl-empty', setTo('callbackUrl', '')),
  header('WCI-CBR-008', 'auth_header-other-name', ({ value }) => [`X-Custom: ${value}`, `Cookie: ${value}`]),
  header('WCI-CBR-008', 'auth_header-longer-name', ({ value }) => [
    `X-API-Keys: ${value}`,
    `X-API-Key-2: ${value}`,
  ]),
  header('WCI-CBR-009', 'auth_header-without-colon', ({ name, value }) => [`${name} ${value}`, value]),
  header('WCI-CBR-010', 'auth_header-two-colons', ({ name, value }) => [
    `${name}: user:${value}`,
    `${name}: https://${value}`,
    `${name}:: ${value}`,
  ]),
  // Nothing behind the colon: a value of spaces is open (WCI-OPN-044).
  header('WCI-CBR-011', 'auth_header-empty-value', ({ name }) => [`${name}:`]),
  header('WCI-CBR-012', 'auth_header-line-break', ({ name, value }) =>
    ['\r', '\n', '\r\n'].flatMap((end) => [
      `${name}: ${value}${end}`,
      `${name}: ${value}${end}${value}`,
      `${name}: ${end}${value}`,
    ]),
  ),
];

const plainCallback: JsonObject = {
  callbackUrl: 'https://example.com/gatecheck/hook',
  auth_header: 'Authorization: gatecheck-synthetic',
  // Both given, since a service may demand them (WCI-OPN-003).
  clientId: 'gatecheck',
  clientName: 'Gatecheck',
};

interface Header {
  readonly name: string;
  readonly value: string;
}

function header(rule: string, name: string, variants: (valid: Header) => readonly string[]): Corruption {
  const rewrites = Array.from(
    { length: variants({ name: '', value: '' }).length },
    (_, index) => (valid: string) => {
      const [field = '', value = ''] = valid.split(/: ?/);
      return variants({ name: field, value })[index] ?? '';
    },
  );
  return fault(rule, name, rewrite('auth_header', ...rewrites));
}

function fault(rule: string, name: string, edit: fc.Arbitrary<Mutation>): Corruption {
  const apply = edit.map((change) => (body: JsonObject): JsonObject => {
    const { callbackData } = body;
    return { ...body, callbackData: change(isJsonObject(callbackData) ? callbackData : plainCallback) };
  });
  return row(rule, name, apply, 'any');
}
