export const apis = ['webcheckin', 'flight-alerts'] as const;
export type Api = (typeof apis)[number];

/** The six documented operations: what a path and method mean, and nothing about how a server behaves. */
export const operations = {
  'wci.subscribe': { api: 'webcheckin', method: 'POST', path: '/extPartner/api/webcheckin/subscribe' },
  'wci.update': { api: 'webcheckin', method: 'POST', path: '/extPartner/api/webcheckin/update' },
  'wci.status': { api: 'webcheckin', method: 'GET', path: '/extPartner/api/webcheckin/status' },
  'wci.list': { api: 'webcheckin', method: 'GET', path: '/extPartner/api/webcheckin/requests' },
  'fla.lookup': { api: 'flight-alerts', method: 'GET', path: '/extPartner/api/flight-alerts' },
  'fla.subscribe': { api: 'flight-alerts', method: 'POST', path: '/extPartner/api/flight-alerts/subscribe' },
} as const satisfies Record<string, { api: Api; method: 'GET' | 'POST'; path: string }>;

export type OperationId = keyof typeof operations;
export const operationIds = Object.keys(operations) as readonly OperationId[];

/** Those of Web Check-in. */
export const checkinOperations = operationIds.filter((id) => operations[id].api === 'webcheckin');
