import { type CheckContext, changesForm } from '../checks.ts';
import { type Moved } from './movements.ts';
import { contentTypeOf } from './registeredForms.ts';

/** Observes what the event of a change holds, and where it names its kind. */
export function observeForm(t: CheckContext, { change, read }: Moved): void {
  const form = changesForm(change);
  if (form !== null) t.observe('WCI-OPN-022', form, read);
  const [event] = change.events;
  if (!event) return;
  const { headers, body } = event.delivery;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  t.observe('WCI-OPN-057', type === undefined ? 'none' : contentTypeOf(type), read);
  const inHeader = headers.some(([, value]) => value.includes('webcheckin.update'));
  const inBody = Buffer.from(body).includes('webcheckin.update');
  if (inHeader) t.observe('WCI-OPN-023', 'header', read);
  if (inBody) t.observe('WCI-OPN-023', 'body-member', read);
  if (!inHeader && !inBody) t.observe('WCI-OPN-023', 'nowhere', read);
}
