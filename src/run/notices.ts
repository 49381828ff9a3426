import type { Listener } from '../engine/events.ts';

/** For those who take sentences only: what is waited for, and what else a user has to know. */
export function planNotices(notice: (text: string) => void = () => undefined): Listener {
  return (event) => {
    if (event.name === 'notice') notice(event.text);
    if (event.name === 'waiting' && event.reason === 'retry-after')
      notice(`Waiting ${Math.round(event.ms / 1000)} s for the limit of ${event.key}.`);
  };
}
