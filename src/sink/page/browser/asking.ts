import { within } from './dom.ts';
import type { Reply } from '../news.ts';

/** Sends a user's choice; the result is shown next to the button. */
type Ask<Requests> = <K extends keyof Requests & string>(
  what: K,
  details: Requests[K],
  output: HTMLOutputElement,
) => Promise<boolean>;

/** How the choices of one page are sent: each by the last part of the path that it is posted to. */
export function asking<Requests>(): Ask<Requests> {
  return async (what, details, output) => {
    const reply = await post(`do/${what}`, details);
    output.value = reply.ok ? 'done' : reply.error;
    output.classList.toggle('bad', !reply.ok);
    if (reply.ok) {
      setTimeout(() => {
        if (output.value === 'done') output.value = '';
      }, 1500);
    }
    return reply.ok;
  };
}

async function post(path: string, content: unknown): Promise<Reply> {
  try {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(content) });
    return (await answer.json()) as Reply;
  } catch {
    return { ok: false, error: 'Gatecheck is gone' };
  }
}

/** Runs `act` when a form is submitted, instead of the browser's own action. */
export function onSubmit(
  form: HTMLFormElement,
  act: (form: HTMLFormElement, output: HTMLOutputElement) => Promise<unknown>,
): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void act(form, within(form, 'output', HTMLOutputElement));
  });
}
