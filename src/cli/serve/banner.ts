import type { DefaultKeys } from '../../reference/enterprises.ts';
import type { Listening } from '../../reference/listen.ts';
import { type Palette, plainPalette } from '../../core/palette.ts';

/** Number of keys of each enterprise that are shown; the sandbox has more. */
const shown = { primary: 8, other: 2 } as const;

/** The keys of a sandbox by the variable that passes them to a run. */
function variablesOf(keys: DefaultKeys): readonly (readonly [name: string, value: string])[] {
  return [
    ['GATECHECK_KEYS_PRIMARY', keys.primary.slice(0, shown.primary).join(',')],
    ['GATECHECK_KEYS_OTHER', keys.other.slice(0, shown.other).join(',')],
    ['GATECHECK_KEY_REVOKED', keys.revoked],
    ['GATECHECK_KEY_DISABLED', keys.disabled],
    ['GATECHECK_KEY_NO_ENTITLEMENT', keys.noEntitlement],
    ['GATECHECK_KEY_SUSPENDED', keys.suspended],
    ['GATECHECK_KEY_EXHAUSTED', keys.exhausted],
  ];
}

/** The variables that a run in another terminal needs, for its shell. */
export function renderExports(
  { url, stateHandlerUrl }: Pick<Listening, 'url' | 'stateHandlerUrl'>,
  keys: DefaultKeys,
): readonly string[] {
  const state = stateHandlerUrl === null ? [] : [['GATECHECK_STATE_HANDLER', stateHandlerUrl] as const];
  const variables = [['GATECHECK_TARGET', url] as const, ...state, ...variablesOf(keys)];
  return variables.map(([name, value]) => `export ${name}='${value}'`);
}

/** What `serve` prints at the start: the address, the sandbox's own keys ready to paste, and one request to try. */
export function renderBanner(
  listening: Pick<Listening, 'url' | 'stateHandlerUrl'>,
  keys: DefaultKeys,
  { bold, dim, cyan }: Palette = plainPalette,
): string {
  const { url, stateHandlerUrl } = listening;
  const [key = ''] = keys.primary;
  return [
    bold(`Both APIs at ${url}`),
    stateHandlerUrl === null
      ? dim('No state handler (--state-handler offers one)')
      : `State handler at ${stateHandlerUrl}`,
    '',
    dim('# sandbox keys by role, for another terminal; then: gatecheck run'),
    ...renderExports(listening, keys),
    '',
    dim('# try it'),
    cyan(`curl -s -H 'X-API-Key: ${key}' ${url}/extPartner/api/webcheckin/requests`),
    '',
    dim('Ctrl-C stops it.'),
    '',
  ].join('\n');
}
