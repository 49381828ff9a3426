import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('flight-alerts');

/** Mistakes in what becomes of changes while a notification waits to be repeated, and in what its repetition tells. */
export const flightRetryDefects: readonly Defect[] = [
  sometimes(
    'notify-lost-behind-retry',
    'No change is notified while a notification is to be repeated.',
    'FLA-CB-001',
    { behindFlightRetry: () => 'dropped' },
  ),
  sometimes(
    'notify-newest-behind-retry',
    'Of the changes made while a notification is to be repeated only the last is notified.',
    'FLA-CB-001',
    { behindFlightRetry: () => 'newest' },
  ),
  sometimes(
    'notify-retry-shortened',
    'A repeated notification tells only the first of the changed fields.',
    'FLA-CB-009',
    {
      notificationBody: ({ fid, changes }, delivery) => ({
        fid,
        changes: delivery > 0 ? firstField(changes) : changes,
      }),
    },
  ),
];

function firstField(changes: Part): Part {
  const [first] = Object.entries(changes);
  if (!first) return changes;
  const [name, value] = first;
  return { [name]: isPart(value) ? firstField(value) : value };
}
