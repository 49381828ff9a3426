import { checkinOperations } from '../../core/operations.ts';
import type { Exchange } from '../../core/evidence.ts';
import { errorCode } from '../kernel/answer.ts';
import { isBare, keyStateOf } from '../../trace/call.ts';
import { responseOf } from '../kernel/body.ts';
import { holds, differs } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';

const requirement = 'SHR-ERR-005';

/**
 * Errors whose code is not documented must still have a stable one. Their cause cannot always be seen, so each
 * group may have as many codes as there are causes that a deployment might tell apart.
 */
export const stableCodes: Oracle = {
  id: 'stable-codes',
  title: 'The same condition yields the same error code',
  verifies: [requirement],
  operations: checkinOperations,
  answers: 'refused',
  createWatch: () => {
    const met = new RecentMap<string, Set<string>>();
    return {
      exchange: (exchange) => {
        const group = groupOf(exchange);
        if (!group) return noSamples;
        const code = errorCode(exchange);
        if (code === null) return noSamples;
        let codes = met.get(group.name);
        if (!codes) met.set(group.name, (codes = new Set()));
        return judge(codes, code, group);
      },
    };
  },
};

interface Group {
  readonly name: string;
  readonly causes: number;
  /** Whether two causes may have one code in two spellings, as texts for people of several components might. */
  readonly spelled: 'once' | 'freely';
}

function plain(code: string): string {
  return code.trim().toLowerCase();
}

function judge(codes: Set<string>, code: string, { name, causes, spelled }: Group): readonly Sample[] {
  if (codes.has(code)) return [sampleOf(requirement, holds)];
  const same = spelled === 'once' ? [...codes].find((one) => plain(one) === plain(code)) : undefined;
  if (same !== undefined) {
    const want = is.noted(is.value(same), `the earlier code for ${name} in the same spelling`);
    return [sampleOf(requirement, differs('spelling', 'error', want, is.value(code)))];
  }
  if (codes.size < causes) {
    codes.add(code);
    return noSamples;
  }
  const want = is.noted(is.oneOf(...codes), `the earlier code for ${name}`);
  return [sampleOf(requirement, differs('code', 'error', want, is.value(code)))];
}

/** 429: two limits, or both at once. 409: three states and a taken pnr. 401: unknown, disabled, revoked, empty and the like. */
function groupOf(exchange: Exchange): Group | null {
  const status = responseOf(exchange)?.status;
  const { operation } = exchange;
  if (!operation?.startsWith('wci.')) return null;
  if (status === 429) return { name: `${operation} 429`, causes: 3, spelled: 'once' };
  if (status === 409 && operation === 'wci.update')
    return { name: `${operation} 409`, causes: 6, spelled: 'once' };
  if (status !== 401) return null;
  // Keys that a run makes up have the shape of real ones and belong to nobody: that is one cause.
  if (keyStateOf(exchange) === 'unknown')
    return { name: `${operation} 401 for an unknown key`, causes: 1, spelled: 'freely' };
  return isBare(exchange.request)
    ? { name: `${operation} 401 without a key`, causes: 1, spelled: 'freely' }
    : { name: `${operation} 401`, causes: 8, spelled: 'freely' };
}
