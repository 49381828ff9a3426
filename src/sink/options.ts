import type { Environment } from '../core/io.ts';
import type { Command } from 'commander';
import type { SinkSettings } from '../core/settings.ts';
import { accepting, type Script } from '../receive/script.ts';
import { parseSecretReference } from '../settings/config/secretReference.ts';
import { valueOf } from '../settings/environment.ts';
import { FieldReader, problemsError } from '../settings/problem.ts';
import { parseHostPort } from '../settings/values/hostPort.ts';
import { parsePort } from '../settings/values/number.ts';
import { accept, refuseSecret, type Parsed, type Parser } from '../settings/values/parsed.ts';
import { parsePath } from '../settings/values/path.ts';
import { parseScript } from './script.ts';
import { parseBaseUrl } from '../settings/values/url.ts';
import type { Expectation } from './credential.ts';

/** What `sink` was told, fully set. */
export interface StandaloneSettings extends SinkSettings {
  /** Makes a certificate, and writes its authority to this file; null for none. */
  readonly tlsCa: string | null;
  /** Port of the page on 127.0.0.1, 0 for a free one; null for no page. */
  readonly page: number | null;
  readonly answer: Script;
  readonly expectations: {
    readonly authHeader: Expectation | null;
    readonly callbackKey: Expectation | null;
  };
  /** Makes the same addresses again; null for fresh ones. */
  readonly pathSecret: string | null;
  readonly har: string | null;
}

/** The options of `sink` as commander hands them over. */
export interface RawSinkOptions {
  readonly sinkListen?: string;
  readonly sinkPublicUrl?: string;
  readonly sinkCert?: string;
  readonly sinkKey?: string;
  readonly tlsCa?: string;
  readonly page?: string | boolean;
  readonly answer?: string;
  readonly expectAuthHeader?: string;
  readonly expectCallbackKey?: string;
  readonly pathSecret?: string;
  readonly har?: string;
}

export function addSinkOptions(command: Command): Command {
  return command
    .option('--sink-listen <host:port>', 'where it listens, port 0 for a free one (default: 127.0.0.1:0)')
    .option('--sink-public-url <url>', 'address of the proxy or tunnel that leads to it')
    .option('--sink-cert <file>', 'serve HTTPS with this certificate, PEM')
    .option('--sink-key <file>', 'private key of that certificate, PEM')
    .option(
      '--tls-ca <file>',
      'serve HTTPS with a certificate made at start; its authority is written here, PEM',
    )
    .option('--answer <script>', 'what it answers, such as 503x3,200 or 200+2s or silence (default: 200)')
    .option('--expect-auth-header <ref>', 'env:NAME of the auth_header that Web Check-in is to send')
    .option('--expect-callback-key <ref>', 'env:NAME of the callbackApiKey that Flight Alerts is to send')
    .option(
      '--path-secret <ref>',
      'env:NAME of a secret of yours; the same one makes the same addresses again',
    )
    .option('--har <file>', 'write what arrived as HAR 1.2 at the end')
    .option('--page <port>', 'port of the page on 127.0.0.1 (default: a free one)')
    .option('--no-page', 'show what arrives on the terminal only');
}

/** Reads the options of `sink`; throws one usage error for all that is wrong. */
export function readSinkOptions(raw: RawSinkOptions, env: Environment, folder: string): StandaloneSettings {
  const reader = new FieldReader();
  const path = parsePath(folder);
  const listen = raw.sinkListen ?? valueOf(env, 'GATECHECK_SINK_LISTEN');
  const publicUrl = raw.sinkPublicUrl ?? valueOf(env, 'GATECHECK_SINK_PUBLIC_URL');
  const secret = <T>(option: string, text: string | undefined, parse: Parser<T>) =>
    reader.read(option, text, secretFrom(env, parse));
  const settings: StandaloneSettings = {
    listen: reader.read('--sink-listen', listen, parseHostPort) ?? { host: '127.0.0.1', port: 0 },
    publicUrl: reader.read('--sink-public-url', publicUrl, parseBaseUrl) ?? null,
    certFile: reader.read('--sink-cert', raw.sinkCert, path) ?? null,
    keyFile: reader.read('--sink-key', raw.sinkKey, path) ?? null,
    tlsCa: reader.read('--tls-ca', raw.tlsCa, path) ?? null,
    page: raw.page === false ? null : (reader.read('--page', textOf(raw.page), parsePort) ?? 0),
    answer: reader.read('--answer', raw.answer, parseScript) ?? accepting,
    expectations: {
      authHeader: secret('--expect-auth-header', raw.expectAuthHeader, parseAuthHeader) ?? null,
      callbackKey: secret('--expect-callback-key', raw.expectCallbackKey, parseCallbackKey) ?? null,
    },
    pathSecret: secret('--path-secret', raw.pathSecret, parsePathSecret) ?? null,
    har: reader.read('--har', raw.har, path) ?? null,
  };
  if ((settings.certFile === null) !== (settings.keyFile === null)) {
    reader.refuse('--sink-cert, --sink-key', 'expected both or none of the two; got only one');
  }
  if (settings.certFile !== null && settings.tlsCa !== null) {
    reader.refuse('--sink-cert, --tls-ca', 'expected one of the two; got both');
  }
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  return settings;
}

function textOf(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Looks the variable of an `env:NAME` up; neither its value nor other text is ever shown. */
function secretFrom<T>(env: Environment, parse: Parser<T>): Parser<T> {
  return (text) => {
    const name = parseSecretReference(text);
    if (!name.ok) return name;
    const value = valueOf(env, name.value);
    return value === undefined
      ? refuseSecret(`a value in the environment variable ${name.value}`, 'none')
      : parse(value);
  };
}

/** `Name: value`, as it was configured as `auth_header` (Web Check-in, Callback data). */
export function parseAuthHeader(text: string): Parsed<Expectation> {
  const [, name = '', value = ''] = /^\s*([^:]*?)\s*:(.*)$/s.exec(text) ?? [];
  const known = (['X-API-Key', 'Authorization'] as const).find(
    (candidate) => candidate.toLowerCase() === name.toLowerCase(),
  );
  return known !== undefined && value.trim() !== ''
    ? accept({ name: known, value: value.trim() })
    : refuseSecret('an auth_header, X-API-Key: … or Authorization: …', 'another text (not shown)');
}

/** The raw value of the Authorization header (Flight Alerts, Authentication rule 3). */
export function parseCallbackKey(text: string): Parsed<Expectation> {
  return text.trim() === ''
    ? refuseSecret('a callbackApiKey', 'an empty text')
    : accept({ name: 'Authorization', value: text.trim() });
}

function parsePathSecret(text: string): Parsed<string> {
  return text.length >= 16 ? accept(text) : refuseSecret('at least 16 characters', 'fewer (not shown)');
}
