import { chai, describe, inject, test } from 'vitest';
import type { EngineCheck, Suite } from '../engine/suite.ts';
import type { CheckOutcome } from '../engine/findings/outcome.ts';
import type { Verdict } from '../judge/kernel/verdict.ts';
import { askEngine } from './bridge.ts';
import { withoutCommands } from '../core/ciCommands.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Name of the channel on which the engine answers. */
    gatecheckChannel: string;
  }
}

const outcomeOf = askEngine(inject('gatecheckChannel'));

/** What tests need of a suite. */
export interface ShownSuite extends Pick<Suite, 'title'> {
  readonly checks: readonly ShownCheck[];
}

type ShownCheck = Pick<EngineCheck, 'id' | 'title'>;

/**
 * Makes a test for every check of a suite that awaits the engine's verdict. All tests of a file wait at once, so that the engine
 * may run the checks in any order.
 */
export function registerTests(suite: ShownSuite): void {
  describe.concurrent(suite.title, () => {
    for (const check of suite.checks) {
      test(`${check.title} [${check.id}]`, { timeout: 0 }, async ({ skip, annotate }) => {
        const outcome = await outcomeOf(check.id);
        const { verdict, verdicts } = outcome;
        await annotate([...verdicts].map(lineOf).join('\n'), 'requirements');
        if (verdict.status === 'skipped' || verdict.status === 'not-applicable') skip(clip(verdict.reason));
        if (verdict.status === 'warn') await annotate(clip(verdict.reason), 'warning');
        if (verdict.status === 'fail') throw failureOf(check, outcome);
        if (verdict.status === 'inconclusive') throw new Error(`Inconclusive: ${clip(verdict.reason)}`);
      });
    }
  });
}

/** `WCI-STS-001 pass (3)` */
function lineOf([requirement, { status, samples }]: readonly [string, Verdict]): string {
  return `${requirement} ${status}${samples > 0 ? ` (${samples})` : ''}`;
}

/** Findings of one check may fill a few screens. */
const longest = 10_000;

/** A failure, not an error: the deployment broke a rule. */
function failureOf(check: ShownCheck, { findings, verdict }: CheckOutcome): Error {
  const failures = findings.filter((finding) => finding.severity === 'fail');
  const [first] = failures;
  const message = failures
    .map((finding) =>
      [
        `${finding.requirement}: ${clip(finding.message)}`,
        `  confirmed ${finding.confirmed}`,
        ...(finding.counterexample === null ? [] : [`  counterexample: ${clip(finding.counterexample)}`]),
        ...(finding.reproduce.curl === null ? [] : [`  ${clip(finding.reproduce.curl)}`]),
      ].join('\n'),
    )
    .join('\n');
  const text = message === '' ? (verdict.reason ?? check.title) : message;
  const error = new chai.AssertionError(clip(text, longest), {
    expected: first && clip(first.expected),
    actual: first && clip(first.actual),
    showDiff: true,
  });
  // The position in the judge's code means nothing to those whose server is judged.
  error.stack = `AssertionError: ${error.message}`;
  return error;
}

/**
 * Shortens text for vitest and its reporters, which take quadratic time to compare and color it: text longer than a screen is
 * cut, and runs of blanks are shown as one. The reports have the whole text. Nothing in it is a command to a CI service.
 */
export function clip(text: string, most = 2000): string {
  const head = withoutCommands(text.slice(0, 4 * most)).replace(/[ \t]{20,}/g, ' … ');
  return head.length > most || text.length > 4 * most
    ? `${head.slice(0, most)}… (${text.length} characters in all)`
    : head;
}
