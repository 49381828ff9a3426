import type { Catalogue } from '../../catalogue/loadCatalogue.ts';
import { operations, type Api, type OperationId } from '../../core/operations.ts';
import { documentedStatuses } from '../../judge/shared/answers.ts';
import { bookingTable } from '../../spec/grammar/booking.ts';
import { lookupTable } from '../../spec/grammar/flightSubscribe.ts';
import type { Table } from '../../spec/grammar/form.ts';
import { bodyTypes, keyHeader, lookupCaching } from '../../spec/grammar/headers.ts';
import { listTable, pageLimits } from '../../spec/grammar/listQuery.ts';
import { statusTable } from '../../spec/grammar/statusQuery.ts';
import { updateTable } from '../../spec/grammar/update.ts';
import { errorResponse, errorSchemas, flightErrorSchemas } from './errors.ts';
import { flightSchemas, lookupProse } from './flightAlerts.ts';
import { parametersOf, type Prose } from './grammarSchema.ts';
import { legend, rulesOfSection, type DocumentId } from './rules.ts';
import { ref, type Schema } from './schema.ts';
import { checkinSchemas } from './webcheckin.ts';

/** The document that describes an API. */
export const documentOf: Readonly<Record<Api, DocumentId>> = {
  webcheckin: 'web-check-in',
  'flight-alerts': 'flight-alerts',
};

/** Sections that belong to no single operation or schema; they apply to the whole description. */
const general = [
  ...['What the service does', 'States and transitions', 'Endpoints', 'Errors', 'Limits', 'Authentication'],
  ...['Versioning', 'Callback key', 'Events', 'Multipart encoding'],
];

/** The OpenAPI 3.1 description of one API or of both. */
export function renderOpenApi(catalogue: Catalogue, apis: readonly Api[]): Schema {
  const documents = catalogue.documents.filter(({ id }) => apis.some((api) => documentOf[api] === id));
  const ids = Object.entries(operations).filter(([, { api }]) => apis.includes(api)) as [
    OperationId,
    (typeof operations)[OperationId],
  ][];
  const paths = Object.groupBy(ids, ([, { path }]) => path);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: {
      title: documents.map(({ title }) => title).join(' and '),
      version: documents.map(({ version }) => version).join('+'),
      description:
        'Generated from the requirement catalogue of Gatecheck. What the documents leave open is given as alternatives, marked x-open-point.',
      ...generalRules(catalogue, documents),
    },
    servers: [
      {
        url: '{base_url}',
        variables: {
          base_url: {
            default: 'https://api.example.com',
            description: 'Supplied per environment; no trailing slash.',
          },
        },
      },
    ],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, of]) => [
        path,
        Object.fromEntries(of.map(([id, { method }]) => [method.toLowerCase(), operationOf(catalogue, id)])),
      ]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: keyHeader } },
      schemas: schemasFor(catalogue, apis),
    },
    'x-gatecheck': legend(
      catalogue,
      documents.map(({ id }) => id),
    ),
  };
}

function generalRules(catalogue: Catalogue, documents: Catalogue['documents']): Schema {
  const all = documents.flatMap(({ id, title }) =>
    [title, ...general].map((section) => rulesOfSection(catalogue, id, section)),
  );
  const named = (name: string) => [
    ...new Set(all.flatMap((rules) => (rules[name] as readonly string[] | undefined) ?? [])),
  ];
  return { 'x-requirement': named('x-requirement'), 'x-open-points': named('x-open-points') };
}

/** All schemas of the APIs, with the rules of their sections. */
export function schemasFor(catalogue: Catalogue, apis: readonly Api[]): Schema {
  const [first = 'webcheckin'] = apis;
  const own = apis.map(
    (api) =>
      [api, api === 'webcheckin' ? checkinSchemas : { ...flightSchemas, ...flightErrorSchemas }] as const,
  );
  return Object.fromEntries(
    [...own, [first, errorSchemas] as const].flatMap(([api, schemas]) =>
      Object.entries(schemas).map(([name, [section, schema]]) => [
        name,
        { ...schema, ...rulesOfSection(catalogue, documentOf[api], section) },
      ]),
    ),
  );
}

function operationOf(catalogue: Catalogue, id: OperationId): Schema {
  const { api, method, path } = operations[id];
  const { answer, ...details } = descriptions[id];
  const statuses = [...documentedStatuses[id].statuses].filter((status) => status !== 200);
  return {
    operationId: id.replace('.', '_'),
    tags: [api],
    ...details,
    responses: {
      200: {
        description: 'Done',
        ...(id === 'fla.lookup' ? { headers: noStore } : {}),
        content: { [bodyTypes.json]: { schema: ref(answer) } },
      },
      ...Object.fromEntries(statuses.map((status) => [String(status), errorResponse(id, status)])),
    },
    ...rulesOfSection(catalogue, documentOf[api], `${method} ${path}`),
  };
}

const noStore = {
  [lookupCaching.name]: { required: true, schema: { type: 'string', pattern: lookupCaching.value } },
};

const { least, most, usual } = pageLimits;
const listProse: Prose = {
  page: 'Zero-based; an invalid or negative value falls back to 0.',
  limit: `Default ${usual}, clamped to ${least} through ${most}.`,
};
const statusProse: Prose = {
  checkin_id: 'Required, under this name or its alias.',
  checkinId: 'Alias of checkin_id.',
};

/** The input of an operation, and the schema of its answer. */
const descriptions: Readonly<Record<OperationId, Schema & { readonly answer: string }>> = {
  'wci.subscribe': {
    ...{ summary: 'Create or reuse a check-in request', answer: 'CheckinSubscribed' },
    requestBody: bodyOf('CheckinSubscribe', bookingTable(0)),
    callbacks: {
      webcheckinUpdate: callbackOf(
        'CheckinEvent',
        'A state change of the attempt, with the configured auth_header',
      ),
    },
  },
  'wci.update': {
    ...{ summary: 'Replace the passengers, or change the PNR', answer: 'CheckinUpdated' },
    requestBody: bodyOf('CheckinUpdate', updateTable),
  },
  'wci.status': {
    ...{ summary: 'Read the status of a check-in request', answer: 'CheckinStatus' },
    parameters: parametersOf(statusTable, statusProse),
  },
  'wci.list': {
    ...{ summary: 'List the check-in requests of the enterprise', answer: 'CheckinList' },
    parameters: parametersOf(listTable, listProse),
  },
  'fla.lookup': {
    ...{ summary: 'Look up all legs of a flight on a date', answer: 'FlightLegs' },
    parameters: parametersOf(lookupTable(0), lookupProse),
  },
  'fla.subscribe': {
    ...{ summary: 'Subscribe to one leg', answer: 'FlightSubscribed' },
    requestBody: { required: true, content: { [bodyTypes.json]: { schema: ref('FlightSubscribe') } } },
    callbacks: {
      flightChange: callbackOf(
        'FlightNotice',
        'A change of the leg; Authorization is the callbackApiKey, without Bearer',
      ),
    },
  },
};

/** JSON, or multipart: the lists and objects of the table are parts with JSON text, files have other names. */
function bodyOf(schema: string, table: Table): Schema {
  const named = Object.keys(table).filter((name) => table[name]?.each ?? table[name]?.inside);
  const part = { type: 'string', contentMediaType: bodyTypes.json };
  return {
    required: true,
    content: {
      [bodyTypes.json]: { schema: ref(schema) },
      [bodyTypes.multipart]: {
        schema: { type: 'object', properties: Object.fromEntries(named.map((name) => [name, part])) },
        encoding: Object.fromEntries(named.map((name) => [name, { contentType: bodyTypes.part }])),
      },
    },
  };
}

function callbackOf(schema: string, description: string): Schema {
  return {
    '{$request.body#/callbackData/callbackUrl}': {
      post: {
        description,
        security: [],
        requestBody: { required: true, content: { [bodyTypes.json]: { schema: ref(schema) } } },
        responses: { '2XX': { description: 'Accepted; any other status may cause another delivery' } },
      },
    },
  };
}
