import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import type { Settings } from '../core/settings.ts';
import type { SessionEnd } from '../engine/health/runEnd.ts';
import type { NotedTarget } from '../target/target.ts';
import type { RunResult } from './result.ts';

/** The settings that a result repeats. */
export type HeadSettings = Pick<Settings, 'apis' | 'profile' | 'seed' | 'shard'> &
  Partial<Pick<Settings, 'name'>>;

/** What every result starts with. */
export interface HeadInput {
  readonly runId: string;
  readonly command: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly version: string;
  readonly settings: HeadSettings;
  readonly catalogue: Catalogue;
  readonly target: NotedTarget;
}

type Head = Pick<RunResult, 'schemaVersion' | 'tool' | 'run' | 'target'>;

/** The tool, the run and its target, in the shape of result.json. */
export function resultHead(input: HeadInput, end: SessionEnd, capabilities: readonly string[]): Head {
  const { settings, target } = input;
  const { webcheckin, 'flight-alerts': flightAlerts } = target.baseUrls;
  return {
    schemaVersion: 1,
    tool: {
      name: 'gatecheck',
      version: input.version,
      catalogue: input.catalogue.version,
      documents: input.catalogue.documents.map(({ id, title, version }) => ({ id, title, version })),
    },
    run: {
      id: input.runId,
      startedAt: new Date(input.startedAt).toISOString(),
      durationMs: Math.round(input.durationMs),
      profile: settings.profile,
      seed: settings.seed,
      shard: settings.shard === null ? null : { ...settings.shard },
      command: input.command,
      end,
    },
    target: {
      kind: target.kind,
      ...(target.image === undefined ? {} : { image: target.image }),
      ...(typeof settings.name === 'string' ? { name: settings.name } : {}),
      baseUrl: webcheckin === flightAlerts ? webcheckin : null,
      baseUrls: Object.fromEntries(settings.apis.map((api) => [api, target.baseUrls[api]])),
      apis: [...settings.apis],
      capabilities: [...capabilities],
    },
  };
}
