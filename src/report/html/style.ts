export const style = `
:root { color-scheme: light dark; --ink: #1c2127; --soft: #5b6570; --line: #d9dee3; --paper: #fff; --wash: #f5f7f9; --link: #0b5cad;
  --good: #1a7f4b; --bad: #c0281e; --warn: #9a6200; --shown: #3f74b5; --missing: #d0342a; --later: #c9d1d9; --surplus: #e08a00; --mark: #ffe08a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ea; --soft: #9aa5b0; --line: #323a42; --paper: #14181c; --wash: #1c2227; --link: #7db8f5;
  --good: #5cc98d; --bad: #ff7a70; --warn: #e8b04a; --shown: #6da0dc; --missing: #ff6a5f; --later: #3d4751; --surplus: #f0a63a; --mark: #6b5200; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
html { scroll-padding-top: 3rem; }
body { margin: 0 auto; max-width: 78rem; padding: 0 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
code, pre, .rows td { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; font-size: .87em; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; z-index: 2; }
header { padding-top: 1.5rem; }
.brand { margin: 0; color: var(--soft); font-size: .87rem; }
h1 { margin: .25rem 0 .5rem; font-size: 1.6rem; line-height: 1.25; font-weight: 600; }
h1 .chip { font-size: 1em; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; font-weight: 600; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3 { margin: 0 0 .4rem; font-size: 1rem; font-weight: 600; }
h4 { margin: .9rem 0 .35rem; font-size: .93rem; font-weight: 600; }
p { margin: .5rem 0; max-width: 70rem; }
.fine, .note, figcaption, small { color: var(--soft); font-size: .87rem; }
small { display: block; font-weight: 400; }
.warning { border-left: 4px solid var(--warn); background: var(--wash); padding: .25rem .9rem; margin: 1rem 0; }
.counts-line { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; padding: 0; margin: 0 0 .75rem; color: var(--soft); }
.counts-line b { color: var(--ink); }
.facts { margin: .5rem 0 .75rem; display: grid; gap: .15rem; }
.facts div { display: grid; grid-template-columns: 6.5rem 1fr; gap: .5rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; min-width: 0; }
nav { position: sticky; top: 0; z-index: 1; display: flex; gap: 1.1rem; overflow-x: auto; white-space: nowrap; padding: .55rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
nav a { text-decoration: none; }
.statement { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem 2rem; }
.statement ul { margin: 0; padding-left: 1.1rem; } .statement li { margin: .3rem 0; }
.chip { white-space: nowrap; font-weight: 600; }
.chip.agree { color: var(--good); } .chip.diverge { color: var(--bad); } .chip.not-gated, .chip.inconclusive { color: var(--warn); }
.chip.skipped, .chip.not-run { color: var(--soft); font-weight: 400; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .35rem 0; white-space: nowrap; }
th, td { padding: .22rem .75rem .22rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; white-space: nowrap; } tbody th { font-weight: 500; white-space: nowrap; }
.n, .bins td { text-align: right; white-space: nowrap; } .bad { color: var(--bad); font-weight: 600; }
tbody tr:hover { background: var(--wash); }
.rows td { max-width: 24rem; } .unjudged td { min-width: 12rem; } h3 + .scroll { margin-top: .25rem; } .matrix + h3, .fine + h3 { margin-top: 1.25rem; } .came th, .came td { border-bottom-width: 2px; } mark { background: var(--mark); color: inherit; }
.query { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: 0 1rem; }
.query > summary { cursor: pointer; padding: .5rem 0; } .query > summary h3 { display: inline; margin-right: .5rem; }
.query > summary .title { color: var(--soft); margin-left: .5rem; } .query[open] { padding-bottom: .5rem; }
.query:target { border-color: var(--link); }
.reasons { padding-left: 1.1rem; } .back { font-size: .87rem; text-align: right; max-width: none; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 1rem; }
.columns > div { min-width: 0; }
pre { margin: 0; padding: .6rem .75rem; background: var(--wash); border-radius: 4px; overflow-x: auto; overflow-wrap: normal; }
.replay { padding: .3rem .6rem; user-select: all; white-space: pre-wrap; overflow-wrap: anywhere; }
details > summary { cursor: pointer; } .sql, .numbers { margin: .75rem 0; }
figure { margin: 1rem 0; } figure svg { display: block; width: 100%; min-width: 40rem; height: auto; }
svg text { fill: var(--soft); font-size: 11px; } svg .lane { fill: var(--ink); font-weight: 600; font-size: 12px; } svg .watermark { stroke-dasharray: 4 3; }
svg line { stroke: var(--line); } svg .base { stroke: var(--soft); } svg line.watermark { stroke: var(--ink); } svg text.watermark { fill: var(--ink); }
svg .shown { fill: var(--shown); } svg .missing { fill: var(--missing); } svg .later { fill: var(--later); } svg .surplus { fill: var(--surplus); }
svg .cursor { fill: var(--ink); opacity: .14; }
.key { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; padding: 0; margin: .3rem 0; color: var(--soft); font-size: .87rem; }
.key li::before { content: ''; display: inline-block; width: .7em; height: .7em; margin-right: .4em; background: currentColor; }
.key .shown::before { background: var(--shown); } .key .missing::before { background: var(--missing); } .key .later::before { background: var(--later); } .key .surplus::before { background: var(--surplus); }
.pick { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; font-size: .87rem; } .pick input { width: 16rem; vertical-align: middle; }
.bins { font-size: .82rem; } .numbers .scroll { max-height: 24rem; overflow: auto; }
button { font: inherit; color: var(--link); background: none; border: 1px solid var(--line); border-radius: 4px; padding: .1rem .6rem; cursor: pointer; }
@media (max-width: 40rem) { body { padding: 0 .75rem 3rem; font-size: 14px; } h1 { font-size: 1.3rem; } .facts div { grid-template-columns: 1fr; gap: 0; } .query { padding: 0 .6rem; } }
@media print { nav, .tools, .pick, .skip { display: none; } }
`;
