import { policyOf } from './livePage.ts';
import { readPageScript } from './pageScript.ts';
import { pageStyle } from './pageStyle.ts';

const pageScript = readPageScript();

/** The page loads nothing from elsewhere, and runs only its own script. */
export const policy = policyOf(pageStyle, pageScript);

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
    <div class="scroll">
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

/** The page before anything has arrived; the script fills it, as text and never as markup. */
export function renderPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatecheck callback sink</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
${body}<script type="module">${pageScript}</script>
</body>
</html>
`;
}
