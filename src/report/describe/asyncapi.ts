import type { Catalogue } from '../../catalogue/loadCatalogue.ts';
import type { Api } from '../../core/operations.ts';
import { authHeaders, authorization, bodyTypes } from '../../spec/grammar/headers.ts';
import { documentOf, schemasFor } from './openapi.ts';
import { legend, rulesOfSection } from './rules.ts';
import { ref, type Schema } from './schema.ts';

interface Event {
  readonly name: string;
  readonly title: string;
  readonly schema: string;
  readonly summary: string;
  readonly headers: Schema;
}

const events: Readonly<Record<Api, Event>> = {
  webcheckin: {
    name: 'webcheckinUpdate',
    title: 'webcheckin.update',
    schema: 'CheckinEvent',
    summary: 'A state change of a check-in request',
    headers: {
      type: 'object',
      description: 'The auth_header exactly as configured; no signature.',
      anyOf: authHeaders.map((name) => ({ required: [name] })),
    },
  },
  'flight-alerts': {
    name: 'flightChange',
    title: 'Flight change notification',
    schema: 'FlightNotice',
    summary: 'A change of a subscribed leg; duplicates can occur',
    headers: {
      type: 'object',
      properties: {
        [authorization]: { type: 'string', description: 'The callbackApiKey alone, without Bearer.' },
      },
      required: [authorization],
    },
  },
};

/** The AsyncAPI 3.0 description of the callbacks, as the partner receives them. */
export function renderAsyncApi(catalogue: Catalogue, apis: readonly Api[]): Schema {
  const documents = catalogue.documents.filter(({ id }) => apis.some((api) => documentOf[api] === id));
  const own = apis.map((api) => [api, events[api]] as const);
  return {
    asyncapi: '3.0.0',
    info: {
      title: `Callbacks of ${documents.map(({ title }) => title).join(' and ')}`,
      version: documents.map(({ version }) => version).join('+'),
      description:
        'Sent by HTTP POST to the address that a subscribe registered. Generated from the requirement catalogue of Gatecheck.',
    },
    defaultContentType: bodyTypes.json,
    channels: Object.fromEntries(own.map(([, event]) => [event.name, channelOf(event)])),
    operations: Object.fromEntries(
      own.map(([api, { name, summary }]) => [
        `receive_${name}`,
        {
          action: 'receive',
          channel: { $ref: `#/channels/${name}` },
          summary,
          bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
          ...rulesOfSection(catalogue, documentOf[api], 'Events'),
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        own.map(([, { name, title, schema, headers }]) => [
          name,
          { name, title, headers, payload: ref(schema) },
        ]),
      ),
      schemas: schemasFor(catalogue, apis),
    },
    'x-gatecheck': legend(
      catalogue,
      documents.map(({ id }) => id),
    ),
  };
}

function channelOf({ name, title }: { readonly name: string; readonly title: string }): Schema {
  return {
    address: '{callbackUrl}',
    title,
    parameters: { callbackUrl: { description: 'callbackData.callbackUrl of the subscribe' } },
    messages: { [name]: { $ref: `#/components/messages/${name}` } },
    bindings: { http: {} },
  };
}
