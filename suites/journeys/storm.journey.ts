import { callbackDataFor, checkinId, defineJourney, subscribe } from '../../src/load/journeys/front.ts';

/** Registered records that all change at once: how long the webhooks take, and whether any is lost. */
export const callbackStorm = defineJourney({
  id: 'callback-storm',
  title: 'subscribe with a webhook; once all have, every record changes at the same time',
  apis: ['webcheckin'],
  needs: ['writes', 'sink', 'progress'],
  cost: { requests: 4, quota: 1 },
  run: async (partner) => {
    const told = partner.address('webcheckin');
    const callbackData = callbackDataFor(told);
    const made = await partner.send('subscribe', subscribe(partner.booking({ callbackData })));
    await partner.barrier('wait for all');
    await partner.change('in progress', checkinId(made), { status: 'IN_PROGRESS', told });
  },
});
