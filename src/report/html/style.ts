/** The style of the report: system fonts, both color schemes, and print. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --card: #fff; --ink: #1b2430; --soft: #5a6675; --line: #dce1e7; --code: #f0f2f5; --link: #0b5cad;
  --fail: #b3261e; --warn: #8a5a00; --pass: #1a7038; --calm: #4b5b72; --unclear: #6b3fa0;
  --bad: #ffd9d4; --good: #cdeed6; --edge: #8a94a0; --seen: #7c9cc4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --card: #1a2029; --ink: #e5eaf0; --soft: #9aa7b6; --line: #303945; --code: #232b36; --link: #7db8f5;
    --fail: #ff8a80; --warn: #f2c063; --pass: #74d493; --calm: #a9b8cb; --unclear: #c9a6f5;
    --bad: #6b2722; --good: #1d4a2c; --edge: #6d7a89; --seen: #5f7da3;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { overflow-wrap: anywhere; margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main, header.top { max-width: 74rem; margin: 0 auto; padding: 0 1.25rem; }
header.top { padding-top: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0; line-height: 1.2; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .7rem; }
h3 { font-size: 1rem; margin: 0; font-weight: 600; }
p { margin: .4rem 0; }
a { color: var(--link); }
code, pre { font: .86em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: 6px; padding: .6rem .75rem; margin: .3rem 0; white-space: pre-wrap; }
.soft { color: var(--soft); }
.steps { margin: .3rem 0; padding-left: 1.4rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem; margin: 0 0 .8rem; }
.verdict { border-left: 6px solid var(--tone); }
.verdict h1 { color: var(--tone); }
.conformant, .pass { --tone: var(--pass); } .nonconformant, .fail { --tone: var(--fail); }
.partial, .warn { --tone: var(--warn); } .inconclusive { --tone: var(--unclear); }
.observed, .skipped, .not-applicable, .known { --tone: var(--calm); }
.badge { color: var(--tone); border: 1px solid var(--tone); border-radius: 99px; padding: 0 .55em; font-size: .8rem; font-weight: 600; white-space: nowrap; }
.bars { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: .6rem 2rem; margin: 1rem 0 .4rem; }
.bar { height: .55rem; border-radius: 99px; background: var(--line); overflow: hidden; }
.bar > svg { display: block; width: 100%; height: 100%; fill: var(--calm); }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: .8rem 0 0; padding: 0; list-style: none; }
.facts b { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
nav { margin: .9rem 0 0;  display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; }
.cause { border-left: 6px solid var(--tone); } .cause h3 { margin: .3rem 0 .5rem; overflow-wrap: anywhere; }
.cause h4 { margin: 1.3rem 0 .4rem; font-size: 1rem; } .part { margin: .7rem 0 .2rem; font-size: .85rem; font-weight: 600; color: var(--soft); }
.kind { margin: 0; } blockquote { margin: .3rem 0; padding: .1rem 0 .1rem .9rem; border-left: 3px solid var(--line); font-weight: 500; }
.difference { margin: .4rem 0 .6rem; padding: .5rem .8rem; background: var(--code); border-radius: 6px; }
mark { background: var(--bad); color: inherit; border-radius: 3px; padding: 0 .1em; font-weight: 600; }
ins { background: var(--good); color: inherit; border-radius: 3px; padding: 0 .1em; text-decoration: none; font-weight: 600; }
.steps > li { margin: .35rem 0; } .steps > li.gap { list-style: none; } .steps > li.decisive { border-left: 3px solid var(--fail); padding-left: .8rem; }
.step { margin: 0; } .away > summary { color: var(--soft); font-size: .88rem; padding-left: .75rem; } .also { padding-left: 1.2rem; } .also > li { margin: .7rem 0; }
.message pre { margin: .2rem 0; } .message .head { border-bottom-left-radius: 0; border-bottom-right-radius: 0; } .message .head + .body > pre:first-child { border-top-left-radius: 0; border-top-right-radius: 0; margin-top: -.2rem; border-top: 1px solid var(--line); }
.ids { display: flex; flex-wrap: wrap; gap: .2rem .8rem; } .names { margin: .4rem 0; padding-left: 1.2rem; }
.effects { columns: 22rem; } .ways { display: flex; flex-wrap: wrap; gap: .1rem .8rem; margin: .2rem 0 0; font-size: .88rem; } .ways a, .ids a { display: inline-block; min-width: 24px; padding: 2px 0; line-height: 1.6; }
.copyable { position: relative; } .copyable pre { padding-right: 5rem; } .copyable button { position: absolute; top: .3rem; right: .3rem; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .6rem 0; } .seek { flex: 1 1 18rem; } .seek input { width: 100%; }
button { font: inherit; font-size: .88rem; color: var(--ink); background: var(--code); border: 1px solid var(--edge); border-radius: 6px; padding: .25rem .7rem; cursor: pointer; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem .8rem; z-index: 2; }
.product { font-size: 1.05rem; overflow-wrap: anywhere; } .next { font-size: 1.05rem; }
.causes { margin: .3rem 0 .6rem; padding-left: 1.6rem; } .causes li::marker { color: var(--tone); font-weight: 600; } .causes .more { list-style: none; } .got::first-letter { text-transform: uppercase; }
.map h2 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.map ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: .35rem 1.4rem; }
.map li { font-size: .86rem; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .5rem; }
.map li > a { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .map li.fail > span, .map li.warn > span { color: var(--tone); font-weight: 600; }
.map svg { grid-column: 1 / -1; display: block; width: 100%; height: .4rem; border-radius: 3px; background: var(--line); }
.map rect { fill: var(--tone); } .map .legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .85rem; color: var(--soft); }
.legend span::before { content: ''; display: inline-block; width: .8rem; height: .5rem; border-radius: 2px; margin-right: .35rem; background: var(--tone); }
.map rect.pass, .map .legend .pass { --tone: var(--pass); } .map rect.skipped, .legend .skipped { --tone: #b5894a; } .map rect.not-applicable, .legend .not-applicable { --tone: var(--edge); } .map rect.observed, .legend .observed { --tone: var(--seen); }
.map rect.fail { --tone: var(--fail); } .map rect.inconclusive { --tone: var(--unclear); }
dialog { color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 10px; } dialog::backdrop { background: rgb(0 0 0 / .4); }
kbd { border: 1px solid var(--edge); border-radius: 4px; padding: 0 .4em; font: .9em ui-monospace, monospace; }
#found { max-height: 60vh; overflow: auto; } #found h3 { margin-top: .6rem; } #found ul { margin: .2rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
summary { cursor: pointer; overflow-wrap: anywhere; } .fold { margin-top: 1.4rem; } .fold > summary > h2 { display: inline; margin: 0 .6rem 0 0; } .fold[open] > summary { margin-bottom: .8rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .35rem 1.1rem; margin: .8rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
dd > pre:first-child { margin-top: 0; }
.once { user-select: all; -webkit-user-select: all; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
caption { text-align: left; padding: .6rem .9rem 0; color: var(--soft); }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.rule { min-width: 20rem; } td button { white-space: nowrap; } code.id { overflow-wrap: normal; } td[data-label=Level] { overflow-wrap: normal; min-width: 5rem; }
@media (min-width: 64rem) { code.id { white-space: nowrap; } }
.side thead td { min-width: 14rem; border-top: 0; } .side th .soft { font-weight: 400; } .side tbody th { white-space: normal; min-width: 14rem; max-width: 28em; position: sticky; left: 0; background: var(--card); } .side thead th { white-space: normal; } .side td { min-width: 8rem; }
tr:target th, tr:target td { background: var(--code); }
form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: 0 0 .8rem; }
label { min-width: 0; max-width: 100%; display: grid; grid-template-columns: minmax(0, 1fr); gap: .15rem; font-size: .85rem; color: var(--soft); }
input[type=search] { width: 20rem; }
select, input { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 6px; padding: .35rem .5rem; min-width: 9rem; max-width: 100%; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
output { color: var(--soft); padding-bottom: .4rem; }
figure { margin: 0 0 1rem; } figcaption { margin-bottom: .3rem; }
.timeline .count { fill: none; stroke: var(--calm); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.timeline .limit { stroke: var(--warn); stroke-dasharray: 5 4; vector-effect: non-scaling-stroke; }
.timeline .admitted { stroke: var(--pass); stroke-width: 3; vector-effect: non-scaling-stroke; }
.timeline .refused { stroke: var(--fail); stroke-width: 3; vector-effect: non-scaling-stroke; }
.timeline circle.beyond { fill: var(--fail); } .chart text.beyond { fill: var(--fail); font-weight: 600; }
.chart.timeline { height: 14.5rem; padding-top: .6rem; padding-left: 3rem; } .chart .hover { fill: transparent; } .chart .hover:hover { fill: var(--calm); fill-opacity: .18; }
figcaption .legend { margin-left: 1.1rem; font-size: .88rem; white-space: nowrap; }
figcaption .legend::before { content: ''; display: inline-block; width: 1.1rem; height: .22rem; border-radius: 2px; margin-right: .4rem; vertical-align: middle; background: var(--tone); }
.calm { --tone: var(--calm); }
.plot { width: 100%; height: auto; display: block; }
.plot text { font: 12px system-ui, sans-serif; fill: var(--soft); }
.plot .bound { stroke: var(--tone); stroke-dasharray: 6 4; } .plot text.pass, .plot text.fail { fill: var(--tone); }
.plot .hover { fill: transparent; } .plot .hover:hover { fill: var(--calm); fill-opacity: .18; }
.plot .spread { stroke: var(--calm); stroke-width: 2; } .plot .middle { fill: var(--calm); } .plot .most { fill: var(--fail); }
.pan { overflow-x: auto; } .zoom { justify-content: flex-end; margin: 0 0 .2rem; } .past .fail, .past .warn { fill: var(--tone); }
.contrast { margin: .2rem 0; padding-left: 1.2rem; }
.plot .grid { stroke: var(--line); }
.plot .line { fill: none; stroke: var(--tone); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.chart { box-sizing: border-box; display: block; width: 100%; height: 17rem; padding: 2.5rem .5rem 1.7rem 4.6rem; overflow: visible; }
.chart text { font: 12px system-ui, sans-serif; fill: var(--soft); } .chart .grid { stroke: var(--line); } .chart line.part { stroke: var(--edge); stroke-dasharray: 2 3; }
.chart text.part { font-weight: 600; } .chart .bound { stroke: var(--tone); stroke-dasharray: 6 4; } .chart text.pass, .chart text.fail, .chart text.calm { fill: var(--tone); }
.chart .line { fill: none; stroke: var(--tone); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.planned { --tone: var(--edge); } .chart .line.planned { stroke-width: 9; stroke-linecap: butt; stroke-dasharray: 8 5; stroke-opacity: .55; } .chart .line.wide { stroke-width: 5; stroke-opacity: .5; } .chart.small { height: 11rem; }
.chart .point rect { fill: transparent; } .chart .point line { stroke: var(--ink); } .chart .point text { fill: var(--ink); pointer-events: none; }
.chart .point:not(:hover) :is(line, text) { visibility: hidden; }
footer { max-width: 74rem; margin: 2.5rem auto; padding: 0 1.25rem; color: var(--soft); font-size: .88rem; }
[hidden] { display: none !important; }
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; gap: .1rem; } dd { margin-bottom: .5rem; }
  /* What is wrong must not be hidden among what is not; the list of requirements has all sections. */
  .map:has(li.fail, li.warn) li:not(.fail, .warn), .map:has(li.fail, li.warn) div:not(:has(li.fail, li.warn)) { display: none; }
  main, header.top { padding: 0 .8rem; } .card { padding: .8rem .9rem; }
  thead { display: none; } table, tbody, tr, td, tbody th { display: block; } tr { padding: .6rem 0; border-top: 1px solid var(--line); }
  th, td { border: 0; padding: .1rem .9rem; } td.number { text-align: left; } td.rule { min-width: 0; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--soft); }
  /* Text of a plot shrinks with it: it keeps a readable size, and the plot scrolls. */
  .chart { padding-left: 3.9rem; } .chart .odd { display: none; } .chart .point text { font-size: 11px; }
  .pan > .plot { min-width: 44rem; } .plot text { font-size: 16px; }
  .side td, .side tbody th, .side thead td { min-width: 0; max-width: none; position: static; }
  td.rule::before, td:empty::before { content: none !important; }
}
@media print {
  :root { --ground: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #f4f4f4; --link: #000;
    --fail: #b3261e; --warn: #8a5a00; --pass: #1a7038; --calm: #4b5b72; --unclear: #6b3fa0; }
  body { font-size: 10pt; } table { font-size: 8.5pt; line-height: 1.35; }
  main, header.top { max-width: none; padding: 0; } th, td { padding: .2rem .4rem; }
  td.rule { width: 100%; min-width: 0; }
  nav, form, button, .tools, #evidence, #side-effects, #requirements, #timings, #open-points, #history, .zoom, .skip { display: none !important; }
  .scroll { overflow: visible; } .detail[hidden] { display: block !important; } .detail[hidden] .also, .detail[hidden] .message .quiet { display: none; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  tr, .difference, .step, figure { break-inside: avoid; } h2, h3, h4, .part { break-after: avoid; } thead { display: table-header-group; }
}
`;
