import { TestRunner, inject } from 'vitest';
import { registerTests, type ShownSuite } from './registerTests.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The suites that are shown, by their files. */
    gatecheckSuites: Readonly<Record<string, ShownSuite>>;
  }
}

/**
 * Loads no suite file: the engine, in the same process, has read them and sends the names of their checks. A test does not need
 * the code of its check, and loading it would take as long as another start.
 */
export default class ShownRunner extends TestRunner {
  override importFile(path: string, source: Parameters<TestRunner['importFile']>[1]): unknown {
    const suite = inject('gatecheckSuites')[path];
    if (source !== 'collect' || suite === undefined) return super.importFile(path, source);
    registerTests(suite);
    return undefined;
  }
}
