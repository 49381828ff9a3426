import type { Operation } from '../shared/call.ts';
import { refuseWithout } from './entitlement.ts';
import { refuseUnknown } from '../shared/unknownMembers.ts';
import { invalid } from '../shared/refusal.ts';
import { breakOn } from './breakOn.ts';
import type { WebCheckin } from './context.ts';
import { ownerOf, visible } from './lookup.ts';
import type { Reading } from './policyTerms.ts';
import { announceIdle } from './progress.ts';
import { recordView } from './view.ts';

interface StatusQuery {
  readonly checkinId: string;
  readonly reading: Reading;
}

/** GET /extPartner/api/webcheckin/status */
export function statusOperation(service: WebCheckin): Operation<StatusQuery> {
  const { policy, attempts } = service;
  return {
    prepare: ({ query }) => {
      for (const [name, value] of query) breakOn(name, value, policy);
      refuseUnknown(query.keys(), policy.statusAliases, policy);
      return readQuery(query, service);
    },
    run: (caller, { checkinId, reading }) => {
      refuseWithout(caller.enterprise.entitlement, 'status', policy);
      const attempt = visible(
        attempts.findById(policy.idMeant(checkinId, () => attempts.ids())),
        ownerOf(caller),
        reading,
        policy,
      );
      policy.onRead(attempt, service.clock.now());
      announceIdle(attempt, 'read', service);
      return { status: 200, body: policy.statusBody(recordView(attempt, service), reading, attempt) };
    },
  };
}

function readQuery(query: URLSearchParams, { policy }: WebCheckin): StatusQuery {
  const given = policy.statusAliases.filter((name) => query.has(name));
  const name = policy.aliasConflict === 'alias' ? given.at(-1) : given[0];
  const value = name === undefined ? null : query.get(name);
  if (name === undefined || value === null) throw invalid('checkin_id is required.');
  if (policy.aliasConflict === 'refused' && new Set(given.map((one) => query.get(one))).size > 1)
    throw invalid('checkin_id and checkinId differ.');
  if (value.trim() === '' && policy.emptyIdentifier === 'invalid')
    throw invalid('checkin_id must not be empty.');
  return { checkinId: value, reading: { operation: 'status', by: name, multipart: false } };
}
