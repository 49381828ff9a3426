import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../src/core/evidence.ts';
import * as is from '../../src/spec/kernel/value.ts';
import { keyIn } from '../../src/spec/world/subscriptions.ts';
import { routeOf, shownLegs } from '../../src/spec/world/legs.ts';
import { callOf } from '../../src/trace/call.ts';
import { answered, ok } from '../../src/judge/kernel/answer.ts';
import { type JsonObject } from '../../src/judge/kernel/body.ts';
import { all, differs, holds, type Judgement, type Violated } from '../../src/judge/kernel/judgement.ts';

export const urlConflict = { status: 409, code: 'CALLBACK_ALREADY_REGISTERED' };
export const fidConflict = { status: 409, code: 'EXTERNAL_FID_ALREADY_REGISTERED' };

export type Route = readonly [departure: string, arrival: string];

/** The airport codes of the legs that an answer shows, in its order; blank where a code is missing. */
export function routesOf(exchange: Exchange): readonly Route[] {
  return shownLegs(exchange).map(({ leg }): Route => {
    const [from = '', to = ''] = routeOf(leg).split('-');
    return [from, to];
  });
}

/** The leg that an answer shows for a route, or null. A subscribe shows the one that was selected, also without its codes. */
export function legAt(exchange: Exchange, route: Route): JsonObject | null {
  const isNameless = (code: string) => exchange.operation === 'fla.subscribe' && code === '';
  const index = routesOf(exchange).findIndex((one) =>
    one.every((code, end) => code === route[end] || isNameless(code)),
  );
  return shownLegs(exchange)[index]?.leg ?? null;
}

/** Whether a lookup answers 200 with the legs of another one, in the same order. */
export function sameLegs(actual: Exchange, expected: Exchange): Judgement {
  return all(answered(actual, ok), judgeRoutes(routesOf(actual), routesOf(expected)));
}

/** Whether a lookup answers 200 with exactly these legs, in whatever order. */
export function exactLegs(exchange: Exchange, routes: readonly Route[]): Judgement {
  const sorted = (list: readonly Route[]) =>
    list.toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
  return all(answered(exchange, ok), judgeRoutes(sorted(routesOf(exchange)), sorted(routes)));
}

function judgeRoutes(actual: readonly Route[], expected: readonly Route[]): Judgement {
  if (isDeepStrictEqual(actual, expected)) return holds;
  return otherLegs(actual, expected);
}

/** Other legs are shown than there should be. */
function otherLegs(actual: readonly Route[], expected: readonly Route[]): Violated {
  const told = (routes: readonly Route[]) =>
    is.text(`the legs ${routes.map((route) => route.join('-')).join(', ')}`);
  return differs('legs', 'body', told(expected), told(actual));
}

/** The `callbackApiKey` of an answer; null if none is returned, however it is left out. */
export function keyOf(exchange: Exchange): string | null {
  const call = callOf(exchange);
  return call && keyIn(call);
}
