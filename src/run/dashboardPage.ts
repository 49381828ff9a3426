/** The page of a running load: polls the figures each second, keeps ten minutes of them, and draws three plots. */
export const dashboardPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>gatecheck load</title>
<style>
  body { font: 15px system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: #fff; color: #1c2430 }
  ul { display: flex; flex-wrap: wrap; gap: .5rem 2rem; list-style: none; padding: 0 } b { font-size: 1.4rem }
  canvas { width: 100%; height: 190px; border: 1px solid #d5dbe3; border-radius: 6px } h2 { font-size: 1rem; margin: 1.2rem 0 .3rem }
  .bad b { color: #b3261e } @media (prefers-color-scheme: dark) { body { background: #14181e; color: #dfe5ec } canvas { border-color: #333c47 } }
</style>
<h1>gatecheck load</h1><p id="state" role="status">Waiting for the load.</p><ul id="facts"></ul>
<h2>Latency of the last second: median and 99 %, ms</h2><canvas id="latency" role="img" aria-label="Latency over time"></canvas>
<h2>Requests per second: planned and sent</h2><canvas id="rate" role="img" aria-label="Rate over time"></canvas>
<h2>In flight</h2><canvas id="flight" role="img" aria-label="Requests in flight over time"></canvas>
<script>
const seen = [], most = 600;
const round = (value) => value >= 100 ? value.toFixed(0) : value.toPrecision(3);
function fact(name, value, bad) {
  const item = document.createElement('li'), strong = document.createElement('b');
  strong.textContent = value; item.append(strong, ' ' + name); if (bad) item.className = 'bad'; return item;
}
function plot(id, lines) {
  const canvas = document.getElementById(id), width = canvas.width = canvas.clientWidth, height = canvas.height = canvas.clientHeight;
  const pen = canvas.getContext('2d'), top = Math.max(1e-9, ...lines.flatMap((line) => line.values));
  pen.fillStyle = '#7d8894'; pen.fillText(round(top), 4, 12);
  for (const { values, color } of lines) {
    pen.strokeStyle = color; pen.lineWidth = 2; pen.beginPath();
    values.forEach((value, at) => pen.lineTo(values.length < 2 ? 0 : at * width / (values.length - 1), height - 4 - value / top * (height - 22)));
    pen.stroke();
  }
}
async function look() {
  try {
    const now = await (await fetch('/data')).json();
    if (now === null) return;
    seen.push(now); if (seen.length > most) seen.shift();
    const left = Math.max(0, now.durationMs - now.elapsedMs) / 1000;
    document.getElementById('state').textContent = 'Stage ' + now.stage + ' of ' + now.stages + ', ' + left.toFixed(0) + ' s to go.';
    document.getElementById('facts').replaceChildren(
      fact('sent of ' + now.planned, now.sent), fact('ok', now.ok), fact('× 429', now.refused),
      fact('errors', now.errors, now.errors > 0), fact('missed', now.missed, now.missed > 0), fact('in flight', now.inFlight),
      fact('ms median', round(now.p50Ms)), fact('ms 99 %', round(now.p99Ms)), fact('rules broken', now.broken, now.broken > 0),
      ...(now.callbacks ? [fact('callbacks, 99 % ' + round(now.callbacks.p99Ms) + ' ms', now.callbacks.count)] : []),
      ...now.journeys.map((one) => fact(one.journey + ' done, ' + one.failed + ' failed', one.done, one.failed > 0)));
    const of = (name) => seen.map((one) => one[name]);
    plot('latency', [{ values: of('recentP50Ms'), color: '#3b7dd8' }, { values: of('recentP99Ms'), color: '#c4483c' }]);
    plot('rate', [{ values: of('wantedPerSecond'), color: '#9aa4af' }, { values: of('sentPerSecond'), color: '#2f8f5b' }]);
    plot('flight', [{ values: of('inFlight'), color: '#8a5bc2' }]);
  } catch { document.getElementById('state').textContent = 'The load is over.'; }
}
setInterval(look, 1000); look();
</script></html>`;
