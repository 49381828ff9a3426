import { accept, refuse, type Parsed } from './parsed.ts';

export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** One of N disjoint parts, `I/N`, counted from 1. */
export function parseShard(text: string): Parsed<Shard> {
  const [, index = '', total = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), total: Number(total) };
  return shard.index >= 1 && shard.index <= shard.total
    ? accept(shard)
    : refuse('I/N with I from 1 to N, such as 1/4', text);
}
