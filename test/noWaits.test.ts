import { expect, test } from 'vitest';
import { cases } from '../bench/virtual/cases.ts';
import { runCase } from '../bench/virtual/virtualRun.ts';

test.each(['quick', '3-keys', '200ms'])(
  'a server that makes keys is waited for by no check for the sake of the limits: %s',
  async (name) => {
    const one = cases.find((candidate) => candidate.name === name);
    if (!one) throw new Error(`there is no case ${name}`);
    const { events } = await runCase(one);
    const waits = events.flatMap(({ event }) =>
      event.name === 'waiting' && event.reason === 'pace' ? [`${event.ms} ms for ${event.key}`] : [],
    );
    expect(waits).toEqual([]);
  },
  120_000,
);
