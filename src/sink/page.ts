import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { accepting } from '../receive/script.ts';
import { start, type Board } from './board.ts';
import { openLivePage, pageAction, type Page, type Refusal } from './livePage.ts';
import type { Requests } from './page/news.ts';
import { scriptForm } from './script.ts';

interface PageOptions {
  readonly board: Board;
  readonly clock: Clock;
  readonly port: number;
  /** The HAR of everything so far. */
  readonly exportHar: () => Promise<Uint8Array>;
}

/** Serves the live page of the sink. */
export function openPage({ board, clock, port, exportHar }: PageOptions): Promise<Page> {
  return openLivePage({
    ...{ title: 'Gatecheck callback sink', body, script: 'sinkScript', clock, port },
    har: { name: 'callbacks.har', export: exportHar },
    follow: async (send, over) => {
      let cursor = start;
      while (!over.aborted) {
        const { cursor: next, ...news } = board.since(cursor);
        await send(news);
        cursor = next;
        await board.news(cursor, over);
      }
    },
    actions: {
      answer: pageAction(forms.answer, (asked) => answer(board, asked)),
      expect: pageAction(forms.expect, (asked) => expect(board, asked)),
      open: pageAction(forms.open, ({ label }) => open(board, label)),
    },
  });
}

const token = z.string().max(100);
const forms: { readonly [K in keyof Requests]: z.ZodType<Requests[K]> } = {
  answer: z.strictObject({ token, script: z.string().max(1000) }),
  expect: z.strictObject({
    token,
    value: z.string().max(8192),
    name: z.enum(['X-API-Key', 'Authorization']),
  }),
  open: z.strictObject({ label: z.string().trim().min(1).max(60) }),
};

function answer(board: Board, { token: address, script }: Requests['answer']): Refusal {
  const read = scriptForm.safeParse(script.trim());
  if (!read.success) return read.error.issues[0]?.message ?? 'expected another script';
  return board.answerWith(address, read.data) ? null : 'no such address';
}

function expect(board: Board, { token: address, name, value }: Requests['expect']): Refusal {
  const expectation = value.trim() === '' ? null : { name, value: value.trim() };
  return board.expect(address, expectation) ? null : 'no such address';
}

function open(board: Board, label: string): Refusal {
  if (board.addresses.length >= 100) return 'there are a hundred addresses already';
  board.open(label, accepting, null);
  return null;
}

const body = `<header>
  <h1>Callback sink</h1>
  <span id="live" class="live" role="status">connecting</span>
  <span class="grow"></span>
  <span id="counts" class="soft"></span>
  <a class="button" href="har" download="callbacks.har">Save HAR</a>
</header>
<main>
  <section aria-labelledby="h-addresses">
    <h2 id="h-addresses">Addresses</h2>
    <div id="addresses"></div>
    <form id="open">
      <label>Another address <input name="label" maxlength="60" placeholder="what it is for" required></label>
      <button>Open</button>
      <output></output>
    </form>
    <datalist id="scripts">
      <option value="200">accept</option>
      <option value="204">accept without a body</option>
      <option value="503x3,200">fail three times, then accept</option>
      <option value="500">fail</option>
      <option value="410">gone</option>
      <option value="200+5s">accept after five seconds</option>
      <option value="302=/elsewhere,200">redirect once</option>
      <option value="silence">never answer</option>
      <option value="reset">reset the connection</option>
      <option value="close-early">close before the body is read</option>
    </datalist>
  </section>
  <section aria-labelledby="h-arrivals">
    <h2 id="h-arrivals">Arrivals</h2>
    <form id="filter">
      <label>Address <select name="label"><option value="">all</option></select></label>
      <label>Holds <input name="words" type="search" placeholder="text in path, header or body"></label>
      <label class="check"><input name="paused" type="checkbox"> Pause</label>
      <button type="button" id="clear">Clear</button>
    </form>
    <div class="scroll" tabindex="0" role="region" aria-label="What arrived">
      <table>
        <thead><tr><th>Time</th><th>Address</th><th>Method</th><th>Answered</th><th>Credential</th><th>About</th><th class="number">Body</th></tr></thead>
        <tbody id="arrivals"></tbody>
      </table>
      <p id="none" class="soft none">Nothing has arrived yet. Register an address above as <code>callbackUrl</code>.</p>
    </div>
    <p class="soft">The latest 200 are shown. Credentials stand here as keyed hashes of this session.</p>
  </section>
</main>
`;
