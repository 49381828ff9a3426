import type { EnvironmentProxy } from '../core/settings.ts';
import type { Environment } from '../core/io.ts';
import { passwordsOf, proxyUrl } from './secretForms.ts';
import { quote } from './quote.ts';
import type { Problem } from './problem.ts';

/** The proxy settings of the usual variables, in upper or lower case; null if there are none. */
export function environmentProxyOf(env: Environment): EnvironmentProxy | null {
  const [http, https] = [valueOf(env, 'http_proxy'), valueOf(env, 'https_proxy')];
  if (http === null && https === null) return null;
  return { http, https, none: valueOf(env, 'no_proxy') ?? '' };
}

/** Problems with invalid addresses; these may contain credentials, and are not shown. */
export function proxyProblems({ http, https }: EnvironmentProxy): readonly Problem[] {
  return Object.entries({ HTTP_PROXY: http, HTTPS_PROXY: https }).flatMap(([where, value]) => {
    if (value === null || proxyUrl.safeParse(value).success) return [];
    return [
      {
        where,
        fault: `expected a proxy address, such as ${quote('http://proxy.example.com:3128')}; got another text (not shown)`,
      },
    ];
  });
}

/** The credentials in an address, which must not be shown. */
export function proxySecrets({ http, https }: EnvironmentProxy): readonly string[] {
  return [http, https].flatMap((address) => {
    const url = address === null ? null : URL.parse(address);
    return url === null ? [] : passwordsOf(url);
  });
}

function valueOf(env: Environment, name: string): string | null {
  const value = env[name]?.trim() ?? env[name.toUpperCase()]?.trim() ?? '';
  return value === '' ? null : value;
}
