import type { Members, ToldChange } from '../webcheckin/policyTerms.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

const behind = () => 'queued' as const;
const delivers = (event: ToldChange): ToldChange => event;

/** Mistakes in what becomes of state changes while a delivery waits to be repeated, and in what its repetition tells. */
export const checkinRetryDefects: readonly Defect[] = [
  // What is lost for good
  sometimes(
    'webhook-lost-behind-retry',
    'No change is pushed while a delivery is to be repeated.',
    'WCI-CB-021',
    {
      retrying: { behind: () => 'dropped', delivers },
    },
  ),
  sometimes(
    'webhook-lost-behind-4xx',
    'No change is pushed while a delivery that was answered 4xx is to be repeated.',
    'WCI-CB-021',
    { retrying: { behind: (status) => (isOf(400, status) ? 'dropped' : 'queued'), delivers } },
  ),
  sometimes(
    'webhook-lost-behind-5xx',
    'No change is pushed while a delivery that was answered 5xx is to be repeated.',
    'WCI-CB-021',
    { retrying: { behind: (status) => (isOf(500, status) ? 'dropped' : 'queued'), delivers } },
  ),
  sometimes(
    'webhook-lost-behind-silence',
    'No change is pushed while a delivery that was not answered is to be repeated.',
    'WCI-CB-021',
    { retrying: { behind: (status) => (status === null ? 'dropped' : 'queued'), delivers } },
  ),
  sometimes(
    'webhook-newest-behind-retry',
    'Of the changes made while a delivery is to be repeated only the last is pushed.',
    'WCI-CB-021',
    { retrying: { behind: () => 'newest', delivers } },
  ),
  sometimes(
    'webhook-merged-into-retry',
    'Changes made while a delivery is to be repeated are pushed with it, under the time of the first.',
    'WCI-CB-019 WCI-CB-021 also WCI-CB-018',
    { retrying: { behind: () => 'dropped', delivers: onRetry(merged) } },
  ),
  sometimes(
    'webhook-replaced-by-newest',
    'A delivery to be repeated is replaced by the event of the last change.',
    'WCI-CB-021 also WCI-CB-017',
    { retrying: { behind: () => 'dropped', delivers: onRetry((_event, latest) => latest) } },
  ),

  // What a repetition tells
  sometimes(
    'webhook-retry-of-newest-state',
    'A repetition tells the last change, under the time of the first.',
    'WCI-CB-019 also WCI-CB-018',
    { retrying: { behind, delivers: onRetry(({ changedAt }, { changes }) => ({ changedAt, changes })) } },
  ),
  sometimes(
    'webhook-retry-of-newest-event',
    'In place of a failed event that of the last change is sent again.',
    'WCI-CB-017 also WCI-CB-016',
    { retrying: { behind, delivers: onRetry((_event, latest) => latest) } },
  ),
  sometimes(
    'webhook-retry-status-only',
    'A repetition tells the new status alone.',
    'WCI-CB-011 also WCI-CB-018',
    {
      retrying: {
        behind,
        delivers: onRetry(({ changedAt, changes }) => ({ changedAt, changes: only(changes, 'status') })),
      },
    },
  ),
];

type Retold = (event: ToldChange, latest: ToldChange) => ToldChange;

function onRetry(retold: Retold) {
  return (event: ToldChange, latest: ToldChange, delivery: number) =>
    delivery === 0 ? event : retold(event, latest);
}

function merged({ changedAt, changes }: ToldChange, latest: ToldChange): ToldChange {
  return { changedAt, changes: { ...changes, ...latest.changes } };
}

function only(changes: Members, member: string): Members {
  return member in changes ? { [member]: changes[member] } : changes;
}

function isOf(hundred: number, status: number | null): boolean {
  return status !== null && status >= hundred && status < hundred + 100;
}
