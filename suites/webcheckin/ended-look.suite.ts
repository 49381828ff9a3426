import { fixed, isAccepted, lastLook, suite } from '../checks.ts';
import { readByAlias } from '../support/aliasReads.ts';
import { readStatus } from '../support/checkin.ts';
import { withKey } from '../support/keys.ts';
import { listed } from '../support/listing.ts';

export default suite('GET /extPartner/api/webcheckin/status: after everything else', [
  fixed({
    id: 'wci.status.last-look',
    title: 'a record that has been completed meanwhile reads the same by checkinId',
    verifies: ['WCI-STS-002'],
    uses: ['complete-record'],
    tags: [lastLook],
    run: async (t) => {
      const { key: label } = (await t.fixtures.completeRecord()).subscribed;
      const named = t.keys.named(label);
      if (!named) return t.skip('its key is not known any more');
      const key = withKey(named);
      const { items } = await listed(t, { status: 'COMPLETED', page: '0', limit: '1' }, key);
      const id = items[0]?.checkin_id;
      if (typeof id !== 'string') return t.skip('the list has no completed record');
      const read = await readStatus(t, id, key);
      t.assume(isAccepted(read), 'the completed record was not read');
      await readByAlias(t, { checkinId: id, read, key });
    },
  }),
]);
