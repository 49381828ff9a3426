import { TestRunner, inject } from 'vitest';
import { registerTests, type ShownSuite } from './registerTests.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The suites that are shown, by their files. */
    gatecheckSuites: Readonly<Record<string, ShownSuite>>;
  }
}

/**
 * Loads no suite file: the engine, in the same process, has read them, and sends the names of their checks. What a check
 * does is of no use to its test, and would take the time of another start to load.
 */
export default class ShownRunner extends TestRunner {
  override importFile(path: string, source: Parameters<TestRunner['importFile']>[1]): unknown {
    const suite = inject('gatecheckSuites')[path];
    if (source !== 'collect' || suite === undefined) return super.importFile(path, source);
    registerTests(suite);
    return undefined;
  }
}
