import type { CallbackOracle } from '../callbackOracle.ts';

/** Every passive oracle of callbacks, in the order in which a report names them. */
export const callbackOracles: readonly CallbackOracle[] = [];
