import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { openLivePage, pageAction, type Page } from '../../sink/livePage.ts';
import type { ProxyBoard } from './board.ts';
import { faultForm, type FaultPlan } from './faults.ts';

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
    ...{ title: 'Gatecheck proxy', body, script: 'proxyScript', clock, port },
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

const body = `<header>
  <h1>Proxy</h1>
  <span id="live" class="live" role="status">connecting</span>
  <span class="grow"></span>
  <span id="counts" class="soft"></span>
  <a class="button" href="har" download="traffic.har">Save HAR</a>
</header>
<main>
  <section aria-labelledby="h-faults">
    <h2 id="h-faults">Faults in force</h2>
    <ul id="faults"></ul>
    <form id="fault">
      <label>Add <input name="fault" list="kinds" maxlength="100" spellcheck="false" placeholder="429x3" required></label>
      <button>Add</button>
      <output></output>
    </form>
    <datalist id="kinds">
      <option value="429=5x1">once too many requests, retryAfter 5</option>
      <option value="latency=2s">answers two seconds late</option>
      <option value="500:10%">one of ten fails</option>
      <option value="reset">the connection breaks before the target sees it</option>
      <option value="lost">the answer is lost after the effect</option>
      <option value="callback-lost">callbacks are lost</option>
      <option value="callback-late=10s">callbacks come late</option>
      <option value="callback-twice">callbacks come twice</option>
      <option value="callback-503">callbacks are refused</option>
    </datalist>
  </section>
  <section aria-labelledby="h-passed">
    <h2 id="h-passed">Traffic</h2>
    <form id="filter">
      <label>Holds <input name="words" type="search" placeholder="text in path, header, body or rule"></label>
      <label class="check"><input name="broken" type="checkbox"> Only what breaks a rule</label>
    </form>
    <div class="scroll" tabindex="0" role="region" aria-label="What passed">
      <table>
        <thead><tr><th>Time</th><th>What</th><th>Key</th><th>Answer</th><th class="number">ms</th><th>Rules broken, and notes</th></tr></thead>
        <tbody id="passed"></tbody>
      </table>
      <p id="none" class="soft none">Nothing has passed yet. Give your client the address of the proxy as base URL.</p>
    </div>
    <p class="soft">The latest 200 are shown. Keys and credentials stand here as labels.</p>
  </section>
</main>
`;
