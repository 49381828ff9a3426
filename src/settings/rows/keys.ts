import { group, row } from '../row.ts';
import { apiKey, apiKeys } from '../secretForms.ts';

/** The API keys that a run may use; a file names the variables with their values. */
export const keyRows = {
  keys: group('API keys, each as env:NAME', {
    primary: row({
      form: apiKeys,
      default: [],
      variable: 'GATECHECK_KEYS_PRIMARY',
      refusesEmpty: true,
      secret: true,
      help: 'active keys of one enterprise, comma-separated',
      example: 'env:GATECHECK_QA_KEYS',
    }),
    other: row({
      form: apiKeys,
      default: [],
      variable: 'GATECHECK_KEYS_OTHER',
      secret: true,
      help: 'active keys of another enterprise',
      example: 'env:GATECHECK_QA_OTHER_KEY',
    }),
    revoked: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_REVOKED',
      secret: true,
      help: 'a revoked key, which must get 401',
      example: 'env:GATECHECK_QA_REVOKED_KEY',
    }),
    disabled: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_DISABLED',
      secret: true,
      help: 'a disabled key, which must get 401',
      example: 'env:GATECHECK_QA_DISABLED_KEY',
    }),
    noEntitlement: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_NO_ENTITLEMENT',
      secret: true,
      help: 'a key without an entitlement, which must get 402 on subscribe',
      example: 'env:GATECHECK_QA_KEY_WITHOUT_ENTITLEMENT',
    }),
    suspended: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_SUSPENDED',
      secret: true,
      help: 'a key of a suspended entitlement, which must get 402 on subscribe',
      example: 'env:GATECHECK_QA_SUSPENDED_KEY',
    }),
    exhausted: row({
      form: apiKey,
      default: null,
      variable: 'GATECHECK_KEY_EXHAUSTED',
      secret: true,
      help: 'a key without quota left, which must get 402 on subscribe',
      example: 'env:GATECHECK_QA_EXHAUSTED_KEY',
    }),
  }),
};
