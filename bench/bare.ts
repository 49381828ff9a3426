import { request } from 'undici';
import type { Candidate } from './figures.ts';
import { benchKey } from './payloads.ts';

/** What there is to compare with: undici alone, and the body of the answer as JSON. */
export function createBare(url: string): Candidate {
  return {
    exchange: async (sent) => {
      const path = sent.query === '' ? sent.path : `${sent.path}?${sent.query}`;
      const { body } = await request(url + path, {
        method: sent.method as 'GET' | 'POST',
        headers: [sent.keyHeader, benchKey, ...sent.headers.flat()],
        body: sent.body,
      });
      await body.json();
    },
    finish: () => Promise.resolve({ judgements: 0, violations: 0 }),
  };
}
