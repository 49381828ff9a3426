import { createSecureContext } from 'node:tls';
import type { KeySettings, Settings } from '../core/settings.ts';
import { isLoopback } from '../core/loopback.ts';
import { showUrl } from './addressForms.ts';
import type { Problem } from './problem.ts';
import type { GivenValues } from './row.ts';
import { unnamedHosts } from './target.ts';

/** Problems that no single source shows: values that contradict or require each other. */
export function conflicts(settings: Settings, sources: readonly GivenValues[]): readonly Problem[] {
  return [
    ...missingPrimaryKey(settings),
    ...missingHost(settings, sources),
    ...keysGivenTwice(settings.keys),
    ...halfCertificate(settings),
    ...halfClientCertificate(settings),
    ...baselineWithoutFile(settings),
    ...stateHandlerInClear(settings),
  ];
}

function halfClientCertificate({ http }: Settings): readonly Problem[] {
  if (http.clientCert !== null && http.clientKey !== null)
    return strangersOf(http.clientCert, http.clientKey);
  if (http.clientCert === null && http.clientKey === null) return [];
  const [given, missing] =
    http.clientCert === null ? ['clientKey', 'clientCert'] : ['clientCert', 'clientKey'];
  return [{ where: `http.${missing}`, fault: `expected it together with http.${given}; got none` }];
}

/** Every connection would fail, as if the server were to blame. */
function strangersOf(cert: string, key: string): readonly Problem[] {
  try {
    createSecureContext({ cert, key });
    return [];
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const got = /key values mismatch/i.test(said) ? 'the key of another one' : `what TLS refuses (${said})`;
    return [{ where: 'http.clientKey', fault: `expected the private key of http.clientCert; got ${got}` }];
  }
}

function missingPrimaryKey({ target, keys }: Settings): readonly Problem[] {
  if (target.kind === 'embedded' || keys.primary.length > 0) return [];
  return [
    {
      where: 'GATECHECK_KEYS_PRIMARY',
      fault:
        'expected at least one active key, since the target is not the embedded one; got none. ' +
        'Set it in the environment, or write keys: { primary: "env:NAME" } in the config file',
    },
  ];
}

function missingHost({ apis }: Settings, sources: readonly GivenValues[]): readonly Problem[] {
  return unnamedHosts(sources)
    .filter((api) => apis.includes(api))
    .map((api) => ({
      where: `baseUrls.${api}`,
      fault: 'expected an address, since this API is to be checked and there is no target; got none',
    }));
}

function keysGivenTwice(keys: KeySettings): readonly Problem[] {
  const seen = new Map<string, string>();
  return namedKeys(keys).flatMap(([label, key]) => {
    const earlier = seen.get(key);
    seen.set(key, label);
    if (earlier === undefined) return [];
    const fault = `expected every key once, in one role; got the same key as ${earlier} and as ${label} (not shown)`;
    return [{ where: 'keys', fault }];
  });
}

function namedKeys(keys: KeySettings): readonly (readonly [label: string, key: string])[] {
  return Object.entries(keys).flatMap(([role, held]: [string, readonly string[] | string | null]) => {
    if (typeof held === 'string') return [[role, held] as const];
    return (held ?? []).map((key, index) => [`${role}#${index + 1}`, key] as const);
  });
}

function halfCertificate({ sink }: Settings): readonly Problem[] {
  if ((sink.certFile === null) === (sink.keyFile === null)) return [];
  const missing = sink.certFile === null ? '--sink-cert' : '--sink-key';
  return [{ where: missing, fault: 'expected a certificate and its private key together; got only one' }];
}

function baselineWithoutFile({ baseline, updateBaseline }: Settings): readonly Problem[] {
  if (!updateBaseline || baseline !== null) return [];
  return [{ where: '--update-baseline', fault: 'expected --baseline FILE, the file to write; got none' }];
}

/** Keys are sent to the state handler, and must never cross the network in clear text. */
function stateHandlerInClear({ stateHandler }: Settings): readonly Problem[] {
  if (stateHandler === null || stateHandler.url.startsWith('https:') || isLoopback(stateHandler.url))
    return [];
  const got = showUrl(stateHandler.url);
  return [
    {
      where: '--state-handler',
      fault: `expected https, or http to this machine, since keys go there; got ${got}`,
    },
  ];
}
