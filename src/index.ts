/**
 * The public API of Gatecheck: what a program may import from `gatecheck`.
 *
 * @module Library
 */

export { type Config, defineConfig } from './settings/configSchema.ts';
export { resolveSettings } from './settings/settings.ts';
export { planRun } from './run/planRun.ts';
export { run, type RunOptions, type RunOutput } from './run/run.ts';

export {
  callbackDataFor,
  checkinId,
  defineJourney,
  filePart,
  flightCallbackData,
  flightSubscribe,
  type Journey,
  jsonPart,
  list,
  lookup,
  memberOf,
  multipart,
  type Partner,
  renderFlightSubscription,
  status,
  subscribe,
  textPart,
  update,
} from './load/journeys/front.ts';

export { type FetchServer, openTarget } from './target/inProcess.ts';
export { startSink, type StartedSink, type StartSinkOptions } from './sink/startSink.ts';
export {
  startReference,
  type StartedReference,
  type StartReferenceOptions,
} from './reference/startReference.ts';
export { judgeRecorded, type JudgeOptions } from './run/judge.ts';
export { diffResults, type ResultDiff } from './report/compare/diffResults.ts';
export { renderOpenApi } from './report/describe/openapi.ts';
export { renderAsyncApi } from './report/describe/asyncapi.ts';

export { type Catalogue, loadCatalogue } from './catalogue/loadCatalogue.ts';
export type { OpenPoint, Requirement } from './catalogue/row.ts';
export { type ExitCode, exitCodes, GatecheckError } from './core/errors.ts';
export type { Settings } from './core/settings.ts';
export type { Listener, RunEvent } from './engine/observe/events.ts';
export type { Plan } from './plan/plan.ts';
export { resultSchema, type RunResult } from './report/result.ts';

export { createDeployment, type Deployment } from './reference/deployment.ts';
export type { DeploymentOptions } from './reference/parts.ts';
export { defaultEnterprises } from './reference/enterprises.ts';
export { listen, type Listening, type ListenOptions } from './reference/listen.ts';
export { documentedPolicy, type Policy } from './reference/policy.ts';
