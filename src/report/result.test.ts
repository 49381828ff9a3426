import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { sampleFinding, sampleResult } from '../../test/support/sampleResult.ts';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { publishedSchemas } from './publishedSchemas.ts';
import { resultSchema } from './result.ts';

const committed = readFileSync(join(packageRoot(), 'schemas', 'result.schema.json'), 'utf8');

describe('the shape of result.json', () => {
  it('takes a result with one of everything', () => {
    expect(resultSchema.parse(sampleResult())).toEqual(sampleResult());
  });

  it('refuses an unknown member, another version and a fingerprint that a baseline could not name', () => {
    expect(resultSchema.safeParse({ ...sampleResult(), extra: 1 }).success).toBe(false);
    expect(resultSchema.safeParse({ ...sampleResult(), schemaVersion: 2 }).success).toBe(false);
    const findings = [sampleFinding({ fingerprint: 'abc' })];
    expect(resultSchema.safeParse({ ...sampleResult(), findings }).success).toBe(false);
  });
});

describe('the published schema', () => {
  it('is current; else run `npm run schemas`', () => {
    expect(committed).toBe(publishedSchemas()['result.schema.json']);
  });

  it('accepts and refuses the same as the code', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(committed) as object);
    const withCase = sampleResult({
      findings: [sampleFinding({ case: { steps: [{ path: '/', n: null }] } })],
    });
    expect([validate(withCase), validate.errors]).toEqual([true, null]);
    expect(validate({ ...sampleResult(), extra: 1 })).toBe(false);
  });
});
