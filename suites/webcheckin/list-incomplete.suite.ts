import { fixed, suite, without, withoutPassports } from '../checks.ts';
import { bookingOfItsOwn } from '../support/departures.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';

export default suite('Web check-in: incomplete records in the list', [
  fixed({
    id: 'wci.list.incomplete',
    title: 'a record that lacks its pnr and its passports is listed all the same',
    verifies: ['WCI-LST-021'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const record = await t.fixtures.subscribed(withoutPassports(without(await bookingOfItsOwn(t), 'pnr')));
      await findRecord(t, record, { key: sameKey(t, record.subscribed), until: isListed });
    },
  }),
]);
