import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { accepting } from '../receive/script.ts';
import { start, type Board } from './board.ts';
import { openLivePage, pageAction, type Page, type Refusal } from './livePage.ts';
import type { Requests } from './page/news.ts';
import { policy, renderPage } from './pageHtml.ts';
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
    ...{ html: renderPage(), policy, clock, port },
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
