import {
  type Part,
  accepted,
  answeredOtherThan,
  generate,
  isAccepted,
  memberOf,
  rawRequest,
  suite,
  table,
} from '../checks.ts';
import { firstPassenger } from '../support/checkin.ts';
import { sameKey } from '../support/keys.ts';
import { type PnrForm, bookingParts, multipart, sendInSomeForm } from '../support/multipart.ts';
import { scanned } from '../support/scannedBookings.ts';

const fileRows = [
  ...generate.fileFramings,
  ...generate.clientFramings,
  // A form in which no file was chosen, and one in which it is empty.
  ...['', 'scan.png'].map((fileName) => ({
    ...{ name: `no bytes, called "${fileName}"`, isDoubtful: true as const, write: generate.encodeMultipart },
    file: { name: 'scan1', content: '', contentType: 'application/octet-stream', fileName },
  })),
].map((framing) => ({ file: generate.filePart('scan1', 'scan.png'), ...framing, rule: 'WCI-MP-081' }));

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
      if (memberOf(plain, 'checkin_id') !== checkinId) t.skip('a repeat by multipart is another booking');
      await t.each(chosen, async ({ write }) => {
        const { bytes, contentType } = write(bookingParts(body, 'text/plain', form), t.identities.token());
        const exchange = await t.send(rawRequest('wci.subscribe', bytes, contentType, { key }));
        t.judge(exchange, { 'WCI-MP-081': accepted(exchange) });
      });
    },
  }),

  table({
    id: 'wci.multipart.files',
    title: 'a scan is read however its client writes its part, and is no internal error where it is empty',
    verifies: ['WCI-MP-081'],
    uses: ['complete-record'],
    needs: ['writes', 'quota'],
    rows: fileRows,
    run: async (t, chosen) => {
      const { body, checkinId, subscribed } = await t.fixtures.completeRecord();
      const key = sameKey(t, subscribed);
      const passengers = [scanned(firstPassenger(body), 'scan1')];
      const parts = (form: PnrForm, file: Part) => [
        ...bookingParts({ ...body, passengers }, 'text/plain', form),
        file,
      ];
      const { exchange: plain, form } = await sendInSomeForm((one) =>
        t.send(multipart(t, 'wci.subscribe', parts(one, generate.filePart('scan1', 'scan.png')), { key })),
      );
      t.assume(isAccepted(plain), 'no multipart subscribe with a scan is accepted');
      if (memberOf(plain, 'checkin_id') !== checkinId) t.skip('a repeat with a scan is another booking');
      await t.each(chosen, async ({ write, file, isDoubtful }) => {
        const { bytes, contentType } = write(parts(form, file), t.identities.token());
        const exchange = await t.send(rawRequest('wci.subscribe', bytes, contentType, { key }));
        // What may be refused is no reason for an internal error.
        const judgement = isDoubtful ? answeredOtherThan(exchange, 500) : accepted(exchange);
        t.judge(exchange, { 'WCI-MP-081': judgement });
      });
    },
  }),
]);
