import {
  callbackDataFor,
  checkinId,
  defineJourney,
  filePart,
  jsonPart,
  list,
  memberOf,
  multipart,
  status,
  subscribe,
  textPart,
  update,
} from '../../src/load/journeys/front.ts';

/** A polling partner: subscribes, corrects the passengers, and polls until the record is updated. */
export const subscribeAndPoll = defineJourney({
  id: 'subscribe-and-poll',
  title: 'subscribe without a passport number, supply it, and poll the status',
  apis: ['webcheckin'],
  needs: ['writes'],
  weight: 3,
  cost: { requests: 12, quota: 1 },
  run: async (partner) => {
    const booking = partner.booking();
    const { passengers } = booking;
    const made = await partner.send(
      'subscribe',
      subscribe({ ...booking, passengers: unnumbered(passengers) }),
    );
    const id = checkinId(made);
    await partner.think(2000);
    const changed = { checkin_id: id, type: 'passengers', passengers };
    await partner.send('update', update(changed), { expects: [200, 409] });
    await partner.think(1000);
    for (let look = 0; look < 3; look += 1) {
      await partner.send('status', status({ checkin_id: id }));
      await partner.think(1000);
    }
  },
});

/** A partner that uploads scans: the same by multipart. */
export const subscribeWithScans = defineJourney({
  id: 'subscribe-with-scans',
  title: 'subscribe by multipart with a scan of the passport, and look',
  apis: ['webcheckin'],
  needs: ['writes'],
  cost: { requests: 6, quota: 1 },
  run: async (partner) => {
    const { flights, passengers, pnr } = partner.booking();
    const made = await partner.send(
      'subscribe',
      multipart('wci.subscribe', partner.identities.token(), [
        textPart('pnr', typeof pnr === 'string' ? pnr : ''),
        jsonPart('flights', flights),
        jsonPart('passengers', withScan(passengers)),
        filePart('scan1', 'passport.png'),
      ]),
    );
    await partner.think(1500);
    await partner.send('status', status({ checkin_id: checkinId(made) }));
  },
});

/** The first passenger's passport names the part that carries its scan. */
function withScan(passengers: unknown): unknown {
  return withPassport(passengers, { file_field: 'scan1' });
}

/** The number of the first passenger's passport is to follow. */
function unnumbered(passengers: unknown): unknown {
  return withPassport(passengers, { number: null });
}

function withPassport(passengers: unknown, members: object): unknown {
  const [first, ...rest] = passengers as readonly { readonly passport?: object }[];
  return [{ ...first, passport: { ...first?.passport, ...members } }, ...rest];
}

/** A partner with a webhook: waits for the webhook of the completed check-in, and fetches the boarding passes. */
export const subscribeAndWait = defineJourney({
  id: 'subscribe-and-wait',
  title: 'subscribe with a webhook, wait for the changes, fetch the boarding passes',
  apis: ['webcheckin'],
  needs: ['writes', 'sink', 'progress'],
  weight: 2,
  cost: { requests: 12, quota: 1 },
  run: async (partner) => {
    const told = partner.address('webcheckin');
    const callbackData = callbackDataFor(told);
    const made = await partner.send('subscribe', subscribe(partner.booking({ callbackData })));
    const id = checkinId(made);
    await partner.send('look', status({ checkin_id: id }));
    await partner.think(2000);
    await partner.change('in progress', id, { status: 'IN_PROGRESS', told });
    await partner.think(2000);
    await partner.change('completed', id, { status: 'COMPLETED', told });
    const read = () => partner.send('status', status({ checkin_id: id }));
    await partner.until(
      'boarding passes',
      read,
      (answer) => memberOf(answer, 'boarding_passes', 0) !== undefined,
    );
  },
});

/** Impatient clients and network retries: the same booking several times at once. */
export const bookingRace = defineJourney({
  id: 'booking-race',
  title: 'the same booking three times at once',
  apis: ['webcheckin'],
  needs: ['writes'],
  cost: { requests: 10, quota: 1 },
  run: async (partner) => {
    const booking = partner.booking();
    const answers = await partner.together(
      'subscribe',
      [1, 2, 3].map(() => subscribe(booking)),
    );
    const [id = '', ...others] = new Set(answers.map(checkinId));
    if (others.length > 0) partner.fail('subscribe', 'one booking came to several records');
    await partner.send('status', status({ checkin_id: id }));
  },
});

/** Two enterprises at the same time: neither must find the other's records. */
export const strangersRecord = defineJourney({
  id: 'strangers-record',
  title: 'subscribe, and another enterprise asks for the record and its own list',
  apis: ['webcheckin'],
  needs: ['writes', 'other-enterprise'],
  cost: { requests: 6, quota: 1 },
  run: async (partner) => {
    const made = await partner.send('subscribe', subscribe(partner.booking()));
    const query = { checkin_id: checkinId(made) };
    await Promise.all([
      partner.send('own status', status(query)),
      partner.asOther("stranger's status", status(query), { expects: [404] }),
      // Its own list: what it shows, oracles hold against whose record it is.
      partner.asOther("stranger's list", list({ limit: '100' })),
    ]);
  },
});
