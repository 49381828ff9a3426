// The public API of Gatecheck.

export { type Config, defineConfig } from './cli/config/schema.ts';
export { loadCatalogue, type Catalogue } from './catalogue/loadCatalogue.ts';
export type { OpenPoint, Requirement } from './catalogue/row.ts';
export { exitCodes, type ExitCode, GatecheckError } from './core/errors.ts';
export type { Settings } from './core/settings.ts';
export type { Listener, RunEvent } from './engine/events.ts';
export type { Plan } from './plan/plan.ts';
export { resultSchema, type RunResult } from './report/result.ts';
