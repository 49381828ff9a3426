/** Headers that the documents name. Their names may be written in any case. */
export const keyHeader = 'X-API-Key';
export const authorization = 'Authorization';

/** The header in which a webhook of web check-in carries its credential, as the partner chose it. */
export const authHeaders = [keyHeader, authorization] as const;

/** How the body of a request is written; of a multipart body, lists and objects are parts with JSON text. */
export const bodyTypes = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  part: 'text/plain',
} as const;

/** What an answer of a lookup says about its storage. */
export const lookupCaching = { name: 'Cache-Control', value: 'no-store' } as const;
