import type { Environment } from '../core/io.ts';
import { FieldReader } from './problem.ts';
import { defined, type Layer } from './settingsInput.ts';
import { parseApiKey, parseApiKeys } from './values/apiKey.ts';
import { parseSecretHeader } from './values/header.ts';
import { parseHostPort } from './values/hostPort.ts';
import type { Parser } from './values/parsed.ts';
import { parseTarget } from './values/target.ts';
import { parseBaseUrl, parseUrl } from './values/url.ts';

/** Reads what the environment says; a variable that is empty counts as unset. */
export function readEnvironment(env: Environment): Layer {
  const reader = new FieldReader();
  const at = <T>(name: string, parse: Parser<T>) => reader.read(name, valueOf(env, name), parse);
  refuseMisspelt(env, reader);
  const input = {
    ...defined({ target: at('GATECHECK_TARGET', parseTarget) }),
    keys: defined({
      primary: at('GATECHECK_KEYS_PRIMARY', parseApiKeys),
      other: at('GATECHECK_KEYS_OTHER', parseApiKeys),
      revoked: at('GATECHECK_KEY_REVOKED', parseApiKey),
      disabled: at('GATECHECK_KEY_DISABLED', parseApiKey),
      noEntitlement: at('GATECHECK_KEY_NO_ENTITLEMENT', parseApiKey),
      suspended: at('GATECHECK_KEY_SUSPENDED', parseApiKey),
      exhausted: at('GATECHECK_KEY_EXHAUSTED', parseApiKey),
    }),
    stateHandler: defined({
      url: at('GATECHECK_STATE_HANDLER', parseUrl),
      auth: at('GATECHECK_STATE_HANDLER_AUTH', parseSecretHeader),
    }),
    sink: defined({
      listen: at('GATECHECK_SINK_LISTEN', parseHostPort),
      publicUrl: at('GATECHECK_SINK_PUBLIC_URL', parseBaseUrl),
    }),
  };
  return { input, problems: reader.problems };
}

/** Names of the variables that hold secrets. */
export const secretVariables = [
  'GATECHECK_KEYS_PRIMARY',
  'GATECHECK_KEYS_OTHER',
  'GATECHECK_KEY_REVOKED',
  'GATECHECK_KEY_DISABLED',
  'GATECHECK_KEY_NO_ENTITLEMENT',
  'GATECHECK_KEY_SUSPENDED',
  'GATECHECK_KEY_EXHAUSTED',
  'GATECHECK_STATE_HANDLER_AUTH',
] as const;

/** A variable's value without blanks around it; undefined where it is unset or empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** KEY for KEYS would leave checks without their key in silence. */
function refuseMisspelt(env: Environment, reader: FieldReader): void {
  for (const name of secretVariables) {
    const misspelt = name.includes('_KEYS_')
      ? name.replace('_KEYS_', '_KEY_')
      : name.replace('_KEY_', '_KEYS_');
    if (misspelt !== name && valueOf(env, misspelt) !== undefined) {
      reader.refuse(misspelt, `expected the name ${name}, which this variable is close to`);
    }
  }
}
