import { fixed, holds, suite, without, withoutPassports } from '../checks.ts';
import { bookingOfItsOwn } from '../support/departures.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord, isListed, notListed } from '../support/listing.ts';

export default suite('Web check-in: incomplete records in the list', [
  fixed({
    id: 'wci.list.incomplete',
    title: 'a record that lacks its pnr and its passports is listed all the same',
    verifies: ['WCI-LST-021'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    run: async (t) => {
      const body = withoutPassports(without(await bookingOfItsOwn(t), 'pnr'));
      const record = await t.fixtures.subscribed(body);
      const { item, page, whole } = await findRecord(t, record, {
        key: sameKey(t, record.subscribed),
        until: isListed,
      });
      t.judge([record.subscribed, page], {
        'WCI-LST-021': item ? holds : notListed(record.checkinId, whole),
      });
    },
  }),
]);
