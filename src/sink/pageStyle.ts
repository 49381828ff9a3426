/** The look of the page: the colors of the report, in both schemes. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --card: #fff; --ink: #1b2430; --soft: #5a6675; --line: #dce1e7; --code: #f0f2f5; --link: #0b5cad;
  --fail: #b3261e; --warn: #8a5a00; --pass: #1a7038;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --card: #1a2029; --ink: #e5eaf0; --soft: #9aa7b6; --line: #303945; --code: #232b36; --link: #7db8f5;
    --fail: #ff8a80; --warn: #f2c063; --pass: #74d493;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
header, main { max-width: 82rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding-top: 1.2rem; }
h1 { font-size: 1.45rem; margin: 0; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .6rem; }
.grow { flex: 1; } .soft { color: var(--soft); }
.live::before { content: '●'; margin-right: .35em; color: var(--warn); } .live.on::before { color: var(--pass); } .live.off::before { color: var(--fail); }
.live { color: var(--soft); font-size: .9rem; }
code, pre { font: .86em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 6px; padding: .6rem .75rem; margin: .3rem 0; white-space: pre-wrap; max-height: 28rem; overflow: auto; }
#addresses { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: .8rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1.1rem; min-width: 0; }
.card h3 { margin: 0; font-size: 1rem; display: flex; flex-wrap: wrap; gap: 0 .8rem; align-items: baseline; overflow-wrap: anywhere; }
.card h3 span { font-weight: 400; font-size: .88rem; }
.url { display: flex; gap: .6rem; align-items: center; margin: .4rem 0 .6rem; }
.url code { flex: 1; background: var(--code); border-radius: 6px; padding: .35rem .55rem; user-select: all; -webkit-user-select: all; }
form { display: flex; flex-wrap: wrap; gap: .5rem .7rem; align-items: end; margin: .5rem 0 0; }
#filter { margin: 0 0 .7rem; }
label { display: grid; gap: .15rem; font-size: .85rem; color: var(--soft); }
label.check { display: flex; gap: .4rem; align-items: center; } label.check input { min-height: 0; }
#filter { align-items: end; } #filter .check { min-height: 2.15rem; }
select, input, button, .button { font: inherit; font-size: .92rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem; min-height: 2.15rem; }
input[type=search] { width: 21rem; max-width: 100%; }
button, .button { cursor: pointer; color: var(--link); text-decoration: none; white-space: nowrap; }
button:hover, .button:hover { border-color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
output { color: var(--soft); font-size: .88rem; padding-bottom: .35rem; } output.bad { color: var(--fail); }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.none { margin: 0; padding: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-weight: 600; white-space: nowrap; }
td.time, td.number, th.number { font-variant-numeric: tabular-nums; white-space: nowrap; } td.number, th.number { text-align: right; }
td.method, td.answer { white-space: nowrap; } td.label { white-space: nowrap; max-width: 14rem; overflow: hidden; text-overflow: ellipsis; } td.about { min-width: 14rem; }
tr.arrival { cursor: pointer; } tr.arrival:hover td, tr.arrival.open td { background: var(--code); }
tr.arrival td.time button { border: 0; padding: 0; background: none; color: inherit; min-height: 0; font-variant-numeric: tabular-nums; }
tr.arrival td.time button::before { content: '▸ '; color: var(--soft); } tr.arrival.open td.time button::before { content: '▾ '; }
.good { color: var(--pass); } .bad { color: var(--fail); } .odd { color: var(--warn); }
tr.detail > td { border-top: 0; padding: .2rem 1rem 1rem; }
.parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: .6rem 1.2rem; }
.parts > div { min-width: 0; } .parts h4 { margin: .5rem 0 .2rem; font-size: .88rem; color: var(--soft); display: flex; gap: .8rem; align-items: center; }
ol.headers { margin: .2rem 0; padding-left: 2rem; } ol.headers li::marker { color: var(--soft); font-size: .8em; }
[hidden] { display: none !important; }
@media (max-width: 40rem) {
  thead { display: none; } table, tbody, tr, td { display: block; } tr.arrival { padding: .4rem 0; border-top: 1px solid var(--line); }
  tr.arrival td { border: 0; padding: .1rem .8rem; text-align: left; white-space: normal; max-width: none; } tr.arrival td:empty { display: none; }
  tr.arrival td:not(.time)::before { content: attr(data-label) ': '; color: var(--soft); }
}
`;
