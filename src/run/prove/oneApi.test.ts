import { expect, test } from 'vitest';
import type { Api } from '../../core/operations.ts';
import { readSuites } from '../../engine/session/suites.ts';
import type { Wire } from '../../wire/json.ts';
import { judgeReference } from './judgeReference.ts';

test.each<[api: Api, other: Api]>([
  ['webcheckin', 'flight-alerts'],
  ['flight-alerts', 'webcheckin'],
])(
  'with --api %s nothing is sent to the other API, and no must is left because of it',
  async (api, other) => {
    const sent: string[] = [];
    const wire: Wire = {
      send: (inner) => (request) => {
        if (request.target.includes(`/api/${other}`)) sent.push(request.target);
        return inner(request);
      },
    };
    const { verdicts } = await judgeReference({ checks: await readSuites(), apis: [api], wire: () => wire });
    const left = [...verdicts].filter(([{ level }, { status, reason }]) => {
      return level === 'must' && (status === 'inconclusive' || reason?.includes(other) === true);
    });
    expect({ sent, left: left.map(([{ id }]) => id) }).toEqual({ sent: [], left: [] });
  },
);
