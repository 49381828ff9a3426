import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordReference, type RawTraffic } from '../../../test/support/recordReference.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { Exchange } from '../../core/evidence.ts';
import { apis, operations, type Api } from '../../core/operations.ts';
import { dialectPoints } from '../../reference/dialects.ts';
import { renderAsyncApi } from './asyncapi.ts';
import { renderOpenApi } from './openapi.ts';
import type { Schema } from './schema.ts';

const catalogue = loadCatalogue();
const choices: readonly (readonly Api[])[] = [['webcheckin'], ['flight-alerts'], apis];

describe.each(choices)('%s %s', (...chosen) => {
  test('the OpenAPI description is valid by a validator of somebody else', async () => {
    const result = await new Validator().validate(structuredClone(renderOpenApi(catalogue, chosen)));
    expect(result).toEqual({ valid: true });
  });

  test('the AsyncAPI description is valid by the published schema of AsyncAPI', () => {
    const path = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json');
    const ajv = addFormats.default(new Ajv({ strict: false, validateFormats: false }));
    const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8')) as object);
    validate(renderAsyncApi(catalogue, chosen));
    expect(validate.errors).toBeNull();
  });
});

test('every rule and every open point of the catalogue stands in the description of both APIs, and nothing else', () => {
  const ids = new Set(idsIn(renderOpenApi(catalogue, apis)));
  const rows = [...catalogue.requirements, ...catalogue.openPoints].map(({ id }) => id);
  expect([...ids].sort()).toEqual(rows.sort());
});

test.each([
  ['webcheckin', 'web-check-in'],
  ['flight-alerts', 'flight-alerts'],
] as const)('the descriptions of %s name what its document says, and nothing else', (api, document) => {
  const ids = [...idsIn(renderOpenApi(catalogue, [api])), ...idsIn(renderAsyncApi(catalogue, [api]))];
  const rows = [...catalogue.requirements, ...catalogue.openPoints];
  const strays = ids.filter(
    (id) => !rows.some((row) => row.id === id && row.source.some((one) => one.document === document)),
  );
  expect(strays).toEqual([]);
});

/** The ids under x-requirement, x-open-point and x-open-points, at any depth. */
function idsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    if (name === 'x-gatecheck') return [];
    if (/^x-(requirement|open-points?)$/.test(name)) return [held as string | readonly string[]].flat();
    return idsIn(held);
  });
}

const only = ['wci.callbacks.*', 'wci.status.*', 'wci.subscribe.*', 'wci.update.*', 'wci.list.*', 'fla.*'];

const random = (seed: number) =>
  Object.assign(
    {},
    ...dialectPoints.map(({ variants }, index) => {
      const all = Object.values(variants);
      return all[(seed * 7 + index * 13) % all.length];
    }),
  ) as object;

describe.each([
  ['as documented', {}],
  ['in one dialect', random(1)],
  ['in another dialect', random(2)],
])('the reference %s', (_, policy) => {
  let traffic: RawTraffic;
  const description = renderOpenApi(catalogue, apis);
  const validators = validatorsOf(description);
  beforeAll(async () => {
    traffic = await recordReference(policy, { only });
  }, 120_000);

  test('answers nothing that the description does not allow', () => {
    const broken = documented(traffic).flatMap(({ id, operation, outcome }) => {
      const response = outcome.kind === 'response' ? outcome.response : null;
      // What stands in front of the operations refuses what is too long for it, and belongs to none of them.
      if (!response || response.truncated || [413, 431].includes(response.status)) return [];
      const { path, method } = operations[operation];
      const validate = validators(
        `#/paths/${escape(path)}/${method.toLowerCase()}/responses/${response.status}/content/application~1json/schema`,
      );
      const body: unknown = JSON.parse(Buffer.from(response.body).toString('utf8'));
      return validate(body)
        ? []
        : [
            `${id} ${operation} ${response.status}: ${faults(validate)} in ${JSON.stringify(body).slice(0, 300)}`,
          ];
    });
    expect(broken.slice(0, 5)).toEqual([]);
  });

  test('takes no JSON body that the description forbids', () => {
    const broken = documented(traffic).flatMap(({ id, operation, request, outcome }) => {
      const schema = requestSchemas[operation];
      const isTaken = outcome.kind === 'response' && outcome.response.status === 200;
      const text = Buffer.from(request.body ?? '').toString('utf8');
      if (schema === undefined || !isTaken || !text.startsWith('{')) return [];
      const validate = validators(`#/components/schemas/${schema}`);
      const body = JSON.parse(text) as { readonly message?: string };
      return validate(body) ? [] : [`${id} ${operation}: ${faults(validate)} in ${text.slice(0, 400)}`];
    });
    expect(broken.slice(0, 5)).toEqual([]);
  });

  test('calls back with nothing that the description does not allow', () => {
    const deliveries = traffic.evidence.filter((one) => 'registration' in one && !one.truncated);
    const broken = deliveries.flatMap((one) => {
      const text = Buffer.from('body' in one ? one.body : '').toString('utf8');
      const validate = validators(
        `#/components/schemas/${text.includes('"fid"') ? 'FlightNotice' : 'CheckinEvent'}`,
      );
      return validate(JSON.parse(text)) ? [] : [`${faults(validate)} in ${text.slice(0, 300)}`];
    });
    expect(deliveries.length).toBeGreaterThan(20);
    expect(broken.slice(0, 5)).toEqual([]);
  });
});

const requestSchemas: Readonly<Record<string, string>> = {
  'wci.subscribe': 'CheckinSubscribe',
  'wci.update': 'CheckinUpdate',
  'fla.subscribe': 'FlightSubscribe',
};

function documented({ evidence }: RawTraffic) {
  return evidence.filter(
    (one): one is Exchange & { operation: NonNullable<Exchange['operation']> } =>
      'timings' in one && one.operation !== null,
  );
}

function escape(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Validators of places in a description, compiled once. */
function validatorsOf(description: Schema): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...description, $id: 'openapi' });
  const made = new Map<string, ValidateFunction>();
  return (pointer) => {
    const known = made.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
    made.set(pointer, known);
    return known;
  };
}

function faults({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
    .slice(0, 3)
    .join('; ');
}
