/** The page of a running load: polls the figures and the course so far each second, and draws three plots. */
export const dashboardPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>gatecheck load</title>
<style>
  body { font: 15px system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: #fff; color: #1c2430 }
  ul { display: flex; flex-wrap: wrap; gap: .5rem 2rem; list-style: none; padding: 0 } b { font-size: 1.4rem } i { font-style: normal }
  canvas { width: 100%; height: 190px; border: 1px solid #d5dbe3; border-radius: 6px } h2 { font-size: 1rem; margin: 1.2rem 0 .3rem }
  .bad b { color: #b3261e } @media (prefers-color-scheme: dark) { body { background: #14181e; color: #dfe5ec } canvas { border-color: #333c47 } }
</style>
<h1>gatecheck load</h1><p id="state" role="status">Waiting for the load.</p><ul id="facts"></ul>
<h2>Latency: <i style="color:#3b7dd8">median</i>, <i style="color:#c4483c">99 %</i></h2><canvas id="latency" role="img" aria-label="Latency over time"></canvas>
<h2>Per second: <i style="color:#7d8894">planned</i>, <i style="color:#2f8f5b">ok</i>, <i style="color:#b9770e">429</i>, <i style="color:#b3261e">errors</i></h2><canvas id="rate" role="img" aria-label="Requests and answers per second over time"></canvas>
<h2>In flight, since this page was opened</h2><canvas id="flight" role="img" aria-label="Requests in flight over time"></canvas>
<script>
const seen = [], most = 600;
const clock = (ms) => Math.floor(ms / 60000) + ':' + String(Math.floor(ms / 1000) % 60).padStart(2, '0');
const round = (value) => value >= 100 ? value.toFixed(0) : value.toPrecision(3);
function fact(name, value, bad) {
  const item = document.createElement('li'), strong = document.createElement('b');
  strong.textContent = value; item.append(strong, ' ' + name); if (bad) item.className = 'bad'; return item;
}
function plot(id, lines, unit, fromMs, untilMs) {
  const canvas = document.getElementById(id), width = canvas.width = canvas.clientWidth, height = canvas.height = canvas.clientHeight;
  const pen = canvas.getContext('2d'), known = lines.flatMap((line) => line.values).filter((value) => value !== null);
  pen.font = '11px system-ui, sans-serif'; pen.fillStyle = '#7d8894';
  if (known.length === 0) { pen.fillText('nothing yet', 4, 14); return; }
  const top = Math.max(...known) || 1, low = height - 18;
  pen.fillText(round(top) + unit, 4, 12); pen.fillText(clock(fromMs), 4, height - 4);
  pen.textAlign = 'right'; pen.fillText(clock(untilMs), width - 4, height - 4);
  for (const { values, color } of lines) {
    pen.strokeStyle = pen.fillStyle = color; pen.lineWidth = 2; pen.beginPath();
    values.forEach((value, at) => {
      if (value === null) return;
      const x = values.length < 2 ? 0 : at * width / (values.length - 1), y = low - value / top * (low - 18);
      // A gap where nothing was answered.
      if (at === 0 || values[at - 1] === null) { pen.moveTo(x, y); pen.fillRect(x - 1, y - 1, 2, 2); } else pen.lineTo(x, y);
    });
    pen.stroke();
  }
}
async function look() {
  try {
    const now = await (await fetch('/data')).json();
    if (now === null) return;
    seen.push({ inFlight: now.inFlight, elapsedMs: now.elapsedMs }); if (seen.length > most) seen.shift();
    const left = Math.max(0, now.durationMs - now.elapsedMs) / 1000;
    document.getElementById('state').textContent = 'Stage ' + now.stage + ' of ' + now.stages + ', ' + left.toFixed(0) + ' s to go.';
    document.getElementById('facts').replaceChildren(
      fact('sent of ' + now.planned, now.sent), fact('ok', now.ok), fact('× 429', now.refused),
      fact('errors', now.errors, now.errors > 0), fact('missed', now.missed, now.missed > 0), fact('in flight', now.inFlight),
      fact('ms median', round(now.p50Ms)), fact('ms 99 %', round(now.p99Ms)), fact('rules broken', now.broken, now.broken > 0),
      ...(now.callbacks ? [fact('callbacks, 99 % ' + round(now.callbacks.p99Ms) + ' ms', now.callbacks.count)] : []),
      ...now.journeys.map((one) => fact(one.journey + ' done, ' + one.failed + ' failed', one.done, one.failed > 0)));
    const of = (name) => now.course.map((one) => one[name]), end = now.course.length === 0 ? 0 : now.course.at(-1).untilMs;
    plot('latency', [{ values: of('p50Ms'), color: '#3b7dd8' }, { values: of('p99Ms'), color: '#c4483c' }], ' ms', 0, end);
    plot('rate', [{ values: of('wanted'), color: '#9aa4af' }, { values: of('ok'), color: '#2f8f5b' },
      { values: of('refused'), color: '#b9770e' }, { values: of('errors'), color: '#b3261e' }], '/s', 0, end);
    plot('flight', [{ values: seen.map((one) => one.inFlight), color: '#8a5bc2' }], '', seen[0].elapsedMs, now.elapsedMs);
  } catch { document.getElementById('state').textContent = 'The load is over.'; }
}
setInterval(look, 1000); look();
</script></html>`;
