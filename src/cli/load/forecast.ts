import { operations, type Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import type { LoadOptions } from '../../load/plan/loadOptions.ts';
import { loadCosts } from '../../load/plan/planLoad.ts';
import { boundText, type LoadPlan } from '../../load/plan/plan.ts';
import { expectedCount } from '../../load/plan/shape.ts';
import { budgetsOf } from '../../plan/budgets.ts';
import { formatDuration, plural } from '../../report/text/format.ts';
import { flightLines, permanence } from '../agreement.ts';

/** What a load sends, spends and leaves behind, one line each. */
export async function loadForecast(
  plan: LoadPlan,
  options: LoadOptions,
  settings: Settings,
): Promise<readonly string[]> {
  const { journeys, tenants, keys } = options;
  const { maxQuota, maxSubscriptions } = budgetsOf(settings);
  const most = keys ?? tenants ?? settings.keys.primary.length;
  const { quota: own, subscriptions, journeyRequests } = loadCosts(plan, { keys: most, journeys });
  const quota = own + (mayMeasureCallbacks(settings, own) ? probeUnits : 0);
  const what = [
    ...plan.mix.map(({ operation, weight }) => `${operation}=${weight}`),
    ...journeys.map(({ journey, weight }) => `${journey.id}=${weight}`),
  ];
  return [
    amountOf(plan, options),
    ...(journeyRequests === 0 ? [] : [`at most ${plural(journeyRequests, 'request')} of journeys`]),
    `${what.join(',')}, ${boundText(plan)}`,
    `at most ${plural(quota, 'quota unit')} of ${maxQuota}, ${plural(subscriptions, 'flight subscription')} of ${maxSubscriptions}`,
    ...(tenants === null ? [] : [`${plural(tenants, 'new enterprise')}, which stay`]),
    permanence(quota + subscriptions),
    ...(await flightLines({ ...settings, apis: flownIn(plan, { journeys, quota }) })),
  ];
}

/** The delay of callbacks is measured on records of its own where a state handler can change them. */
const probeUnits = 2;

function mayMeasureCallbacks(settings: Settings, own: number): boolean {
  const { stateHandler, readOnly, apis } = settings;
  const isPossible = stateHandler !== null && !readOnly && apis.includes('webcheckin');
  return isPossible && budgetsOf(settings).maxQuota - own >= probeUnits;
}

function amountOf(plan: LoadPlan, { capacity, saturate, connections }: LoadOptions): string {
  const { durationMs, maxRequests, ratePerSecond } = plan;
  const time = formatDuration(durationMs);
  const rate = `${ratePerSecond.toFixed(2)} per second`;
  const bound = `at most ${plural(maxRequests, 'request')}`;
  if (capacity !== null) return `trials of ${time}, from ${rate} on and twice as many each time, ${bound}`;
  if (saturate)
    return `as much as is answered in ${time} over ${plural(connections, 'connection')}, ${bound}`;
  const count = Math.min(maxRequests, Math.ceil(expectedCount(plan)));
  const also = plan.journeys === undefined ? '' : ' or journeys';
  const what = plan.mix.length === 0 ? plural(count, 'journey') : `${plural(count, 'request')}${also}`;
  return `about ${what} in ${time}, ${rate}`;
}

/** The APIs with flights: bookings where some are made, lookups and subscriptions where some are sent. */
function flownIn(
  { mix }: LoadPlan,
  { journeys, quota }: { readonly journeys: LoadOptions['journeys']; readonly quota: number },
): readonly Api[] {
  const used = new Set([
    ...mix.map(({ operation }) => operations[operation].api),
    ...journeys.flatMap(({ journey }) => journey.apis),
  ]);
  return [...used].filter((api) => api === 'flight-alerts' || quota > 0);
}
