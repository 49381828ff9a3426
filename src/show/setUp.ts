import { chai, describe, inject, test } from 'vitest';
import { installRegistrar, type EngineCheck, type Suite } from '../engine/suite.ts';
import { askEngine, type ShownOutcome } from './bridge.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Name of the channel on which the engine answers. */
    gatecheckChannel: string;
  }
}

const outcomeOf = askEngine(inject('gatecheckChannel'));

// Every check of a suite file becomes one test, which awaits the verdict of the engine. All of a file wait at once, so
// that the engine may run them in the order that suits it.
installRegistrar((suite: Suite) => {
  describe.concurrent(suite.title, () => {
    for (const check of suite.checks) {
      test(`${check.title} [${check.id}]`, { timeout: 0 }, async ({ skip, annotate }) => {
        const outcome = await outcomeOf(check.id);
        await annotate(outcome.requirements.join('\n'), 'requirements');
        if (outcome.status === 'skipped') skip(outcome.reason ?? 'skipped');
        if (outcome.status === 'warn') await annotate(outcome.reason ?? 'warned', 'warning');
        if (outcome.status === 'fail') throw failureOf(check, outcome);
        if (outcome.status === 'inconclusive')
          throw new Error(`Inconclusive: ${outcome.reason ?? 'no reason given'}`);
      });
    }
  });
});

/** A failure, not a fault: the deployment broke a rule. */
function failureOf(check: EngineCheck, { findings, reason }: ShownOutcome): Error {
  const failures = findings.filter((finding) => finding.severity === 'fail');
  const [first] = failures;
  const message = failures
    .map((finding) =>
      [
        `${finding.requirement}: ${finding.message}`,
        `  confirmed ${finding.confirmed}`,
        ...(finding.counterexample === null ? [] : [`  counterexample: ${finding.counterexample}`]),
        ...(finding.curl === null ? [] : [`  ${finding.curl}`]),
      ].join('\n'),
    )
    .join('\n');
  const error = new chai.AssertionError(message === '' ? (reason ?? check.title) : message, {
    expected: first?.expected,
    actual: first?.actual,
    showDiff: true,
  });
  // Where the judge stands says nothing to those whose server is judged.
  error.stack = `AssertionError: ${error.message}`;
  return error;
}
