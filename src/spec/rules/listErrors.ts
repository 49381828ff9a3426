import type { Call } from '../../trace/call.ts';
import { only, type Blame } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import { boundsOf, oddFormsOf, type Listings } from '../world/listings.ts';

const beyond = 'WCI-LST-017';
/** No list that nothing is known of is taken to be longer. */
const farBeyond = 50_000;
/** What comes in place of a list that the documents speak of. */
export class ListErrors {
  readonly #listings: Listings;
  readonly #blame: Blame;
  /** The first request of a form that was an internal error. */
  readonly #broken = new Map<string, Call>();

  constructor(listings: Listings, blame: Blame) {
    this.#listings = listings;
    this.#blame = blame;
  }

  judge(call: Call): void {
    this.#judgeError(call);
    this.#judgeMissing(call);
  }

  /** A page beyond the end is empty. */
  #judgeMissing({ status, query, enterprise, exchange }: Call): void {
    const { page, limit } = boundsOf(query);
    if (status !== 404 || page.rule === null || (page.name !== 'page-in-bounds' && page.rule !== beyond))
      return;
    const { total = farBeyond } = this.#listings.totalOf(enterprise) ?? {};
    const [least = Number(query.limit)] = limit.applied ?? [];
    if (Number(query.page) * least < total) return;
    this.#blame.accuse(only(beyond), 'list', {
      ...{ code: 'list-missing', at: 'answer', want: is.answer(200, 'without items'), got: is.answer(404) },
      because: [exchange],
    });
  }

  /** An internal error twice for what the documents speak of, and never another answer. */
  #judgeError(call: Call): void {
    const forms = oddFormsOf(call.query);
    if (call.status !== 500) {
      if (call.status !== null) for (const form of forms) this.#blame.keep(only(form));
      return;
    }
    const name = forms.join();
    const before = this.#broken.get(name);
    this.#broken.set(name, call);
    if (!before || forms.length === 0) return;
    const because = [before.exchange, call.exchange];
    const violation = {
      code: 'list-error',
      at: 'answer',
      want: 'a list, or 400',
      got: is.answer(500),
      because,
    };
    this.#blame.accuse(only(...forms), 'list', violation);
  }
}
