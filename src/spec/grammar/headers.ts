/** Headers that the documents name. Their names may be written in any case. */
export const keyHeader = 'X-API-Key';
export const authorization = 'Authorization';

/** The header in which a webhook of web check-in carries its credential, as the partner chose it. */
export const authHeaders = [keyHeader, authorization] as const;
