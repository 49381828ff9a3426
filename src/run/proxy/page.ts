import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { openLivePage, pageAction, type Page } from '../../sink/livePage.ts';
import type { ProxyBoard } from './board.ts';
import { faultForm, type FaultPlan } from './faults.ts';
import { proxyPolicy, renderProxyPage } from './pageHtml.ts';

interface ProxyPageOptions {
  readonly board: ProxyBoard;
  readonly faults: FaultPlan;
  readonly clock: Clock;
  readonly port: number;
  readonly exportHar: () => Promise<Uint8Array>;
}

/** The live page of a proxy: what passes, what it breaks, and the faults in force. */
export function openProxyPage({ board, faults, clock, port, exportHar }: ProxyPageOptions): Promise<Page> {
  return openLivePage({
    ...{ html: renderProxyPage(), policy: proxyPolicy, clock, port },
    har: { name: 'traffic.har', export: exportHar },
    follow: async (send, over) => {
      let seen = 0;
      while (!over.aborted) {
        const { version } = board;
        const news = board.since(seen);
        await send(news);
        seen = news.passed.at(-1)?.seq ?? seen;
        await board.news(version, over);
      }
    },
    actions: {
      fault: pageAction(z.strictObject({ fault: z.string().max(100) }), ({ fault }) => {
        const read = faultForm.safeParse(fault.trim());
        if (!read.success) return read.error.issues[0]?.message ?? 'expected another fault';
        return faults.add(read.data) ? null : 'there are fifty faults already';
      }),
      drop: pageAction(z.strictObject({ id: z.int() }), ({ id }) =>
        faults.drop(id) ? null : 'no such fault',
      ),
    },
  });
}
