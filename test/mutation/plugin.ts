import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { AreaReporter } from './areaReporter.ts';
import { ChecksRunner } from './checksRunner.ts';

/** What Stryker loads: the checks as its test runner, and a report by area. */
export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'checks', ChecksRunner),
  declareClassPlugin(PluginKind.Reporter, 'areas', AreaReporter),
];
