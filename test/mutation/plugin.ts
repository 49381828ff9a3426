import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { AreaReporter } from './areaReporter.ts';
import { ChecksRunner } from './checksRunner.ts';
import { policyIgnorer, proseIgnorer } from './ignorers.ts';

/** What Stryker loads: the checks as its test runner, what it leaves alone, and a report by area. */
export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'checks', ChecksRunner),
  declareValuePlugin(PluginKind.Ignore, 'prose', proseIgnorer),
  declareValuePlugin(PluginKind.Ignore, 'policy', policyIgnorer),
  declareClassPlugin(PluginKind.Reporter, 'areas', AreaReporter),
];
