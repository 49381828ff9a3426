import { z } from 'zod';
import { profiles } from '../../core/settings.ts';
import { duration, exploration, positiveShare, seed, whole, words } from '../forms.ts';
import { group, row } from '../row.ts';

/** How much a run does: which checks, at what cost, on which records. */
export const extentRows = {
  profile: row({
    form: z.enum(profiles),
    default: 'standard',
    flag: '--profile <name>',
    help: 'smoke: at most 60 requests in a minute; standard: all that needs no real waiting; full: everything, with real waiting',
    example: 'smoke',
  }),
  seed: row({
    form: seed,
    default: null,
    flag: '--seed <n>',
    help: "the run's random seed",
    usual: 'random, printed at every run',
    example: 42,
  }),
  only: row({
    form: z.array(words),
    default: [],
    flag: '--only <pattern>',
    help: 'what to check: requirement ids, check ids or tags, * allowed',
    usual: 'all',
    example: ['WCI-STS-*'],
  }),
  budgets: group('hard budgets, never exceeded', {
    maxRequests: row({
      form: whole(1),
      default: null,
      flag: '--max-requests <n>',
      help: 'send at most this many requests',
      usual: 'by profile and target',
      example: 500,
    }),
    maxQuota: row({
      form: whole(),
      default: null,
      flag: '--max-quota <n>',
      help: 'spend at most this many quota units',
      usual: '0 for a target that is not local',
      example: 20,
    }),
    maxSubscriptions: row({
      form: whole(),
      default: null,
      flag: '--max-subscriptions <n>',
      help: 'leave behind at most this many flight subscriptions',
      usual: '0 for a target that is not local',
      example: 10,
    }),
    maxDurationMs: row({
      form: duration,
      default: null,
      flag: '--max-duration <time>',
      file: 'maxDuration',
      help: 'take at most this long, such as 15m',
      example: '15m',
    }),
  }),
  explore: row({
    form: exploration,
    default: 'off',
    flag: '--explore <requests>',
    help: 'experimental: after the checks of web check-in, try what no check has thought of: off, auto (at most a fifth of their requests and about a minute of waiting), or so many requests, within the budgets',
    example: 'auto',
  }),
  readOnly: row({
    form: z.boolean(),
    default: false,
    flag: '--read-only',
    help: 'send only GET requests',
    example: true,
  }),
  fresh: row({
    form: z.boolean(),
    default: false,
    flag: '--fresh',
    help: 'make new records instead of reusing those of earlier runs',
    example: true,
  }),
  share: row({
    form: positiveShare,
    default: 1,
    flag: '--share <percent>',
    help: 'use at most this share of each rate limit, such as 50%, if others use the same keys',
    usual: '100%',
    example: '50%',
  }),
};
