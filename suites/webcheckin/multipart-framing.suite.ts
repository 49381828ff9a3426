import { accepted, generate, isAccepted, memberOf, rawRequest, suite, table } from '../checks.ts';
import { sameKey } from '../support/keys.ts';
import { bookingParts, multipart, sendInSomeForm } from '../support/multipart.ts';

const rows = generate.framings.map((framing) => ({ ...framing, rule: 'WCI-MP-081' }));

export default suite('Multipart encoding: as clients write it', [
  table({
    id: 'wci.multipart.framing',
    title: 'a multipart subscribe is read however its client writes boundaries and headers',
    verifies: ['WCI-MP-081'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows,
    run: async (t, chosen) => {
      const { body, checkinId, subscribed } = await t.fixtures.completeRecord();
      const key = sameKey(t, subscribed);
      const { exchange: plain, form } = await sendInSomeForm((one) =>
        t.send(multipart(t, 'wci.subscribe', bookingParts(body, 'text/plain', one), { key })),
      );
      t.assume(isAccepted(plain), 'no multipart subscribe is accepted');
      // Where a repeat is another booking, as without its pnr, each row would spend a unit.
      t.assume(memberOf(plain, 'checkin_id') === checkinId, 'a repeat by multipart is another booking');
      await t.each(chosen, async ({ write }) => {
        const { bytes, contentType } = write(bookingParts(body, 'text/plain', form), t.identities.token());
        const exchange = await t.send(rawRequest('wci.subscribe', bytes, contentType, { key }));
        t.judge(exchange, { 'WCI-MP-081': accepted(exchange) });
      });
    },
  }),
]);
