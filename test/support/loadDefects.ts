import { createDeployment, type Deployment } from '../../src/reference/deployment.ts';
import type { DeploymentOptions } from '../../src/reference/parts.ts';
import type { Entitlement } from '../../src/reference/shared/keys.ts';
import { documentedPolicy, type Policy } from '../../src/reference/policy.ts';
import type { Callback } from '../../src/reference/webcheckin/records.ts';

/** A mistake that shows only while several requests are under way at once. */
export interface LoadDefect {
  readonly id: string;
  readonly breaks: string;
  /** Requirements that a load must find broken. */
  readonly kills: readonly string[];
  /** `busy` tells whether another request is under way. */
  readonly policy: (busy: () => boolean) => Partial<Policy>;
}

/** Mistakes of servers that were tried by one client at a time only. */
export const loadDefects: readonly LoadDefect[] = [
  {
    id: 'quota-oversold',
    breaks: 'The quota is judged by a copy that is not made anew while requests are under way.',
    kills: ['WCI-QTA-010'],
    policy: (busy) => {
      let copy: Entitlement | null = null;
      return {
        quotaAllows: (entitlement) => {
          if (copy === null || !busy()) copy = { ...entitlement };
          return documentedPolicy.quotaAllows(copy);
        },
      };
    },
  },
  {
    id: 'units-lost',
    breaks: 'Two subscribes at once take one unit together.',
    kills: ['WCI-QTA-001'],
    policy: (busy) => ({
      consumes: (outcome) => (busy() || outcome === 'repeated' || outcome === 'rejected' ? 0 : 1),
    }),
  },
  {
    id: 'units-twice',
    breaks:
      'A subscribe takes its unit again where another request is under way, as after a retry of the database.',
    kills: ['WCI-QTA-001'],
    policy: (busy) => ({
      consumes: (outcome, booking) => documentedPolicy.consumes(outcome, booking) * (busy() ? 2 : 1),
    }),
  },
  {
    id: 'booking-twice',
    breaks: 'Two subscribes of one booking at once both find nothing, and make two records.',
    kills: ['WCI-SUB-021'],
    policy: (busy) => ({ reuses: () => !busy() }),
  },
  {
    id: 'answer-swapped',
    breaks: 'A status that is asked for while another one is answered shows the record of the other.',
    kills: ['WCI-STS-006'],
    policy: (busy) => {
      let last: Record<string, unknown> | null = null;
      return {
        statusBody: (fields) => {
          const shown = busy() && last !== null ? last : fields;
          last = fields;
          return { success: true, ...shown };
        },
      };
    },
  },
  {
    id: 'status-stale',
    breaks: 'Under load the status comes from a cache that is never made anew.',
    kills: ['WCI-CB-020'],
    policy: (busy) => {
      const cache = new Map<unknown, Record<string, unknown>>();
      return {
        statusBody: (fields) => {
          const known = cache.get(fields.checkin_id);
          if (known === undefined) cache.set(fields.checkin_id, fields);
          return { success: true, ...(busy() && known !== undefined ? known : fields) };
        },
      };
    },
  },
  {
    id: 'status-back',
    breaks:
      'A read while another request is under way puts a completed record back to work, and tells nobody.',
    kills: ['WCI-CB-020'],
    policy: (busy) => ({
      onRead: (attempt, now) => {
        if (!busy() || attempt.progress.status !== 'COMPLETED') return;
        attempt.progress = { ...attempt.progress, status: 'IN_PROGRESS' };
        attempt.updatedAt = now;
      },
    }),
  },
  {
    id: 'pass-crossed',
    breaks:
      'Boarding passes that are looked up while another request is under way are those of the last record.',
    kills: ['WCI-STS-011'],
    policy: (busy) => {
      let last: readonly string[] | null = null;
      return {
        finishedPasses: (passes) => {
          const shown = busy() && last !== null ? last : passes;
          last = passes;
          return shown;
        },
      };
    },
  },
  {
    id: 'record-forgotten',
    breaks:
      'A record that is made while another request is under way is in the list, and no status finds it.',
    kills: ['WCI-STS-001'],
    policy: hiddenFrom('status'),
  },
  {
    id: 'list-incomplete',
    breaks: 'A record that is made while another request is under way never comes to the list.',
    kills: ['WCI-LST-021'],
    policy: hiddenFrom('list'),
  },
  {
    id: 'credential-crossed',
    breaks: 'A webhook that is sent while another request is under way carries the header of another record.',
    kills: ['WCI-CB-005'],
    policy: (busy) => {
      let last: Callback | null = null;
      return {
        callbackHeader: (callback, delivery) => {
          const meant = busy() && last !== null ? last : callback;
          last = callback;
          return documentedPolicy.callbackHeader(meant, delivery);
        },
      };
    },
  },
  {
    id: 'change-lost',
    breaks: 'A change that happens while another request is under way is told to nobody.',
    kills: ['WCI-CB-021'],
    policy: (busy) => ({
      emits: (cause, changed, step) => documentedPolicy.emits(cause, changed, step) && !busy(),
    }),
  },
  {
    id: 'two-flight-keys',
    breaks: 'Simultaneous first registrations of a flight callback each get a key of their own.',
    kills: ['FLA-SUB-029'],
    policy: (busy) => {
      let serial = 0;
      return { keyOnRetry: (key, polling) => (busy() && !polling ? `${key}-${(serial += 1)}` : undefined) };
    },
  },
  {
    id: 'registration-refused',
    breaks: 'The second of simultaneous first registrations is refused, as if it were another one.',
    kills: ['FLA-SUB-029'],
    policy: (busy) => ({ conflicts: () => (busy() ? ['CALLBACK_ALREADY_REGISTERED'] : []) }),
  },
  {
    id: 'flight-key-crossed',
    breaks:
      'A notification that is sent while another request is under way carries the key of another subscription.',
    kills: ['FLA-CB-003'],
    policy: (busy) => {
      let last: string | null = null;
      return {
        authorization: (key, delivery, callback) => {
          const meant = busy() && last !== null ? last : key;
          last = key;
          return documentedPolicy.authorization(meant, delivery, callback);
        },
      };
    },
  },
  {
    id: 'notification-lost',
    breaks: 'A leg that changes while another request is under way is told to nobody.',
    kills: ['FLA-CB-001'],
    policy: (busy) => ({
      notifies: (subscription, leg, changed) =>
        documentedPolicy.notifies(subscription, leg, changed) && !busy(),
    }),
  },
  {
    id: 'foreign-listed',
    breaks:
      'A list that is asked for while another request is under way shows the records of all enterprises.',
    kills: ['WCI-LST-023'],
    policy: (busy) => ({
      sees: (attempt, reader, reading) =>
        documentedPolicy.sees(attempt, reader, reading) || (busy() && reading.operation === 'list'),
    }),
  },
];

/** Records that are made while another request is under way are not found by this operation. */
function hiddenFrom(operation: 'status' | 'list'): LoadDefect['policy'] {
  return (busy) => {
    const hidden = new Set<string>();
    return {
      newCheckinId: (random, moment) => {
        const id = documentedPolicy.newCheckinId(random, moment);
        if (busy()) hidden.add(id);
        return id;
      },
      sees: (attempt, reader, reading) =>
        documentedPolicy.sees(attempt, reader, reading) &&
        !(reading.operation === operation && hidden.has(attempt.checkinId)),
    };
  };
}

/** A deployment that takes a while for each request, as one with a store behind it, and has such a mistake. */
export function createBusyDeployment(
  defect: LoadDefect | null,
  { work, ...options }: DeploymentOptions & { readonly work: () => Promise<void> },
): Deployment {
  let underWay = 0;
  const policy = { ...documentedPolicy, ...options.policy, ...defect?.policy(() => underWay > 1) };
  const deployment = createDeployment({ ...options, policy });
  return {
    ...deployment,
    fetch: async (request, info) => {
      underWay += 1;
      try {
        await work();
        return await deployment.fetch(request, info);
      } finally {
        await work();
        underWay -= 1;
      }
    },
  };
}
