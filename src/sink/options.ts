import { z } from 'zod';
import { accepting } from '../receive/script.ts';
import { path, port, textForm } from '../settings/forms.ts';
import { refuseProblems } from '../settings/problem.ts';
import { row, type ValuePlace, type ValuesOf } from '../settings/row.ts';
import { fromVariable } from '../settings/secretForms.ts';
import { settingsTable } from '../settings/table.ts';
import { scriptForm } from './script.ts';
import type { Headers } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import type { CredentialVerdict } from './page/news.ts';

/** `Name: value`, as configured as `auth_header` (Web Check-in, Callback data). */
const authHeader = textForm<Expectation>({
  expected: 'an auth_header, X-API-Key: … or Authorization: …',
  read: (text) => {
    const [, given = '', value = ''] = /^\s*([^:]*?)\s*:(.*)$/s.exec(text) ?? [];
    const name = (['X-API-Key', 'Authorization'] as const).find(
      (one) => one.toLowerCase() === given.toLowerCase(),
    );
    return name === undefined || value.trim() === '' ? undefined : { name, value: value.trim() };
  },
  got: () => 'other text (not shown)',
});

/** The raw value of the Authorization header (Flight Alerts, Authentication rule 3). */
const callbackKey = textForm<Expectation>({
  expected: 'a callbackApiKey',
  read: (text) => ({ name: 'Authorization', value: text.trim() }),
});

/** Whether a command has a live page, and on which port. */
export function pageRows(shown: string) {
  return {
    pagePort: row({
      form: port,
      default: 0,
      flag: '--page <port>',
      help: 'port of the page on 127.0.0.1',
      usual: 'a free port',
      example: 8090,
    }),
    hasPage: row({
      form: z.boolean(),
      default: true,
      flag: '--no-page',
      help: `show ${shown} in the terminal only`,
    }),
  };
}

const pathSecret = textForm({
  expected: 'at least 16 characters',
  read: (text) => (text.length >= 16 ? text : undefined),
  got: () => 'fewer (not shown)',
});

const { listen, publicUrl, certFile, keyFile } = settingsTable.sink.rows;

/** A secret that addresses are derived from. */
export const pathSecretRow = row({
  form: (place: ValuePlace) => fromVariable(pathSecret, place),
  default: null,
  flag: '--path-secret <ref>',
  help: 'env:NAME of a secret; the same secret gives the same addresses every time',
});

/** The options of `sink`; where it listens is a setting of runs as well. */
export const sinkTable = {
  listen,
  publicUrl: { ...publicUrl, help: 'address of the proxy or tunnel that leads to the sink' },
  certFile: { ...certFile, help: 'serve HTTPS with this certificate, PEM' },
  keyFile,
  tlsCa: row({
    form: path,
    default: null,
    flag: '--tls-ca <file>',
    help: 'serve HTTPS with a new certificate; its authority is written to this file, PEM',
  }),
  answer: row({
    form: scriptForm,
    default: accepting,
    flag: '--answer <script>',
    help: 'how it answers, such as 503x3,200 or 200+2s or silence',
    usual: '200',
  }),
  authHeader: row({
    form: (place: ValuePlace) => fromVariable(authHeader, place),
    default: null,
    flag: '--expect-auth-header <ref>',
    help: 'env:NAME of the auth_header that Web Check-in should send',
  }),
  callbackKey: row({
    form: (place: ValuePlace) => fromVariable(callbackKey, place),
    default: null,
    flag: '--expect-callback-key <ref>',
    help: 'env:NAME of the callbackApiKey that Flight Alerts should send',
  }),
  pathSecret: pathSecretRow,
  har: row({
    form: path,
    default: null,
    flag: '--har <file>',
    help: 'write what arrived as HAR 1.2 at the end',
  }),
  ...pageRows('what arrives'),
};

/** The settings of `gatecheck sink`. */
export type StandaloneSettings = ValuesOf<typeof sinkTable>;

/** Refuses contradictory settings. */
export function validateSink({ certFile: cert, keyFile: key, tlsCa }: StandaloneSettings): void {
  refuseProblems([
    ...((cert === null) === (key === null)
      ? []
      : [{ where: '--sink-cert, --sink-key', fault: 'expected both or none of the two; got only one' }]),
    ...(cert === null || tlsCa === null
      ? []
      : [{ where: '--sink-cert, --tls-ca', fault: 'expected one of the two; got both' }]),
  ]);
}

/** The header that every delivery to an address must carry: `auth_header`, or Authorization with the `callbackApiKey`. */
export interface Expectation {
  readonly name: 'X-API-Key' | 'Authorization';
  readonly value: string;
}

/** A credential that arrived, known only by its keyed hash. */
export interface SeenCredential {
  readonly name: string;
  readonly print: string;
}

/** The credentials of a delivery, in order. */
export function credentialsOf(headers: Headers, redactor: Redactor): readonly SeenCredential[] {
  return headers
    .filter(([name]) => /^(x-api-key|authorization)$/i.test(name))
    .map(([name, value]) => ({ name, print: redactor.fingerprint(value) }));
}

/** Compares what arrived with what was expected, byte for byte, by hash. */
export function judgeCredential(
  seen: readonly SeenCredential[],
  expected: Expectation | null,
  redactor: Redactor,
): CredentialVerdict {
  if (expected === null) return { status: 'unchecked', text: seen.map(shown).join(', ') };
  const named = seen.filter(({ name }) => name.toLowerCase() === expected.name.toLowerCase());
  const [only] = named;
  if (only === undefined) return { status: 'missing', text: `no ${expected.name} header` };
  if (named.length > 1) return { status: 'mismatch', text: `${named.length} ${expected.name} headers` };
  const isRight = wireForms(expected.value).some((form) => redactor.fingerprint(form) === only.print);
  return isRight
    ? { status: 'match', text: shown(only) }
    : { status: 'mismatch', text: `${shown(only)}${likeness(only.print, expected.value, redactor)}` };
}

/** A value that is not ASCII may be sent in either encoding; Node shows the bytes as Latin-1. */
export function wireForms(value: string): readonly string[] {
  return [value, Buffer.from(value, 'utf8').toString('latin1')];
}

function shown({ name, print }: SeenCredential): string {
  return `${name} ‹${print}›`;
}

const alterations: readonly (readonly [what: string, alter: (value: string) => string])[] = [
  ['with Bearer in front', (value) => `Bearer ${value}`],
  ['without Bearer in front', (value) => value.replace(/^Bearer /, '')],
  ['in lower case', (value) => value.toLowerCase()],
  ['in upper case', (value) => value.toUpperCase()],
  ['with its spaces changed', (value) => value.replace(/\s+/g, ' ')],
  ['without its spaces', (value) => value.replace(/\s+/g, '')],
  ['in quotes', (value) => `"${value}"`],
  ['in Base64', (value) => Buffer.from(value).toString('base64')],
  ['percent-encoded', (value) => encodeURIComponent(value)],
];

/** Says how a wrong value was probably made, if in one of the usual ways. */
function likeness(print: string, value: string, redactor: Redactor): string {
  const found = alterations.find(
    ([, alter]) => alter(value) !== value && redactor.fingerprint(alter(value)) === print,
  );
  return found === undefined ? ', another value' : `, the value ${found[0]}`;
}
