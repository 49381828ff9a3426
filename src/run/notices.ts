import type { Listener } from '../engine/observe/events.ts';

/** For listeners that only take sentences: what is waited for, and anything else that a user has to know. */
export function planNotices(notice: (text: string) => void = () => undefined): Listener {
  return (event) => {
    if (event.name === 'notice') notice(event.text);
    if (event.name === 'waiting' && event.reason === 'retry-after')
      notice(`Waiting ${Math.round(event.ms / 1000)} s for the limit of ${event.key}.`);
  };
}
