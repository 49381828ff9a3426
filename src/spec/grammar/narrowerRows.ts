import type { Asked } from './form.ts';

/**
 * The sentence that a fault breaks where it stands. The rules of a member hold for every element, for multipart bodies and for updates by
 * sentences of their own, which are narrower than the one of the member.
 */
export function rowAt(rule: string, at: string, { operation, carrier }: Asked): string {
  if (operation === 'wci.update') return ofUpdate(rule, carrier);
  if (operation !== 'wci.subscribe') return rule;
  if (carrier === 'multipart') {
    if (rule.startsWith('WCI-CBR-')) return 'WCI-MP-003';
    if (/^WCI-SUB-02[4-9]$/.test(rule)) return 'WCI-MP-005';
  }
  const [, list, index = '0'] = /^(flights|passengers)\[(\d+)\]/.exec(at) ?? [];
  return ofElement(rule, list, Number(index), carrier);
}

/** From which element of a list the narrower sentence is the one to name: a fault of the second is often one of all. */
function ofElement(rule: string, list: string | undefined, index: number, carrier: Asked['carrier']): string {
  if (list === 'passengers') return index > (carrier === 'multipart' ? 0 : 1) ? 'WCI-SUB-039' : rule;
  if (list !== 'flights') return rule;
  if (index > 0 && /^WCI-SUB-03[0-2]$/.test(rule)) return 'WCI-SUB-033';
  return index > 1 && /^WCI-DT-0(05|1[5-8]|20)$/.test(rule) ? 'WCI-DT-032' : rule;
}

function ofUpdate(rule: string, carrier: Asked['carrier']): string {
  const isOfPassengers = rule.startsWith('WCI-SUB-');
  if (carrier === 'multipart') return isOfPassengers || /^WCI-UPD-0(23|48)$/.test(rule) ? 'WCI-MP-020' : rule;
  return isOfPassengers ? 'WCI-UPD-025' : rule;
}
