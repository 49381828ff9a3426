import type { StateHandler } from './stateHandler.ts';

/** What to set for each state so that the deployment is left as it was found. */
const undoes: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'provider.fail': { mode: null },
  'automation.set': { mode: 'auto' },
};

/** A state handler that remembers which of its states have to be undone at the end of the run. */
export function undoing(handler: StateHandler): { handler: StateHandler; undo: () => Promise<void> } {
  const used = new Set<string>();
  return {
    handler: {
      ...handler,
      set: (state, params) => {
        if (state in undoes) used.add(state);
        return handler.set(state, params);
      },
    },
    undo: async () => {
      // A state that cannot be undone must not prevent the others from being undone, nor the reports.
      await Promise.allSettled([...used].map((state) => handler.set(state, undoes[state] ?? {})));
    },
  };
}
