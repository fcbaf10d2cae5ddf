"""The style of the HTML report and of the page: one column on a phone, dark where the reader likes it dark."""

from __future__ import annotations

# What the report and the page of `autopilot web` have in common; the page adds its own after it.
SHARED = """
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --ink: #1b2430; --quiet: #56616f; --edge: #d6dce3; --link: #0b5cad;
  --good: #116932; --good-soft: #e3f4e8; --bad: #a51c12; --bad-soft: #fde8e6; --warn: #7d4a06; --warn-soft: #fdf1da;
  --preparing: #5b8def; --building: #2ea37a; --reviewing: #9a6be0; --landing: #e0a13a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161b; --card: #1a2027; --ink: #e4e9ef; --quiet: #a3afbc; --edge: #35404c; --link: #8abcf7;
    --good: #6bd793; --good-soft: #16301f; --bad: #ff9a90; --bad-soft: #3a1a18; --warn: #f0bd63; --warn-soft: #352810;
    --preparing: #6f9bf2; --building: #3fb58b; --reviewing: #ab82ea; --landing: #e6b057;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
code { font: .85em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { font: .85rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--page);
  border: 1px solid var(--edge); border-radius: 6px; padding: 10px 12px; margin: .4rem 0; overflow-x: auto; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
li { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 10px; margin: 12px 0 4px; }
.figure { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 10px 14px; }
.figure b { display: block; font-size: 1.25rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.figure span { color: var(--quiet); font-size: .85rem; }
.tag { display: inline-block; border-radius: 999px; padding: 1px 10px; font-size: .82rem; font-weight: 600;
  white-space: nowrap; background: var(--edge); color: var(--ink); vertical-align: middle; }
.tag.good { background: var(--good-soft); color: var(--good); }
.tag.bad { background: var(--bad-soft); color: var(--bad); }
.tag.warn { background: var(--warn-soft); color: var(--warn); }
.note { border-left: 4px solid var(--warn); background: var(--warn-soft); padding: 8px 12px; border-radius: 4px; }
.scroll { overflow-x: auto; }
figure { margin: 0; }
.looks { display: flex; gap: .6rem; flex-wrap: wrap; }
.looks figure { flex: 1 1 12rem; max-width: 24rem; }
.looks img { width: 100%; border: 1px solid #8884; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: 6px 10px; border-bottom: 1px solid var(--edge); }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
td { min-width: 4.5rem; }
td.wide { min-width: 14rem; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .axis { fill: var(--quiet); font-size: 11px; }
svg .row { stroke: var(--edge); }
svg .rest { stroke: var(--quiet); stroke-dasharray: 3 4; }
svg .bar.preparing, .swatch.preparing { fill: var(--preparing); background: var(--preparing); }
svg .bar.building, .swatch.building { fill: var(--building); background: var(--building); }
svg .bar.reviewing, .swatch.reviewing { fill: var(--reviewing); background: var(--reviewing); }
svg .bar.landing, .swatch.landing { fill: var(--landing); background: var(--landing); }
svg .bar { rx: 2px; stroke: var(--card); stroke-width: .6; }
svg .bar.bad { fill: var(--bad); }
.swatch.bad { background: var(--bad); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--quiet); font-size: .88rem; }
.legend span { display: inline-flex; align-items: center; gap: 6px; }
.swatch { display: inline-block; width: 12px; height: 12px; border-radius: 3px; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 18px; }
svg .line { fill: none; stroke: var(--preparing); stroke-width: 2; }
svg circle { fill: var(--preparing); }
"""

STYLE = f"""{SHARED}main, header, nav, footer {{ max-width: 1240px; margin: 0 auto; padding: 0 20px; }}
header {{ padding-top: 28px; }}
h1 {{ font-size: 1.5rem; line-height: 1.25; margin: 0 0 .4rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.15rem; margin: 0 0 .8rem; }}
h3 {{ font-size: 1rem; margin: 1.2rem 0 .5rem; }}
nav {{ display: flex; flex-wrap: wrap; gap: 4px 16px; padding-top: 14px; padding-bottom: 6px; font-size: .92rem; }}
section {{ background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 18px 20px;
  margin: 14px 0; }}
td:not(.wide) code {{ white-space: nowrap; }}
details {{ border-top: 1px solid var(--edge); padding: 10px 0; }}
details:first-of-type {{ border-top: 0; }}
summary b {{ margin-right: 8px; }}
.meter {{ background: var(--edge); border-radius: 4px; height: 8px; width: 120px; overflow: hidden; }}
.meter i {{ display: block; height: 100%; background: var(--good); }}
.meter i.warn {{ background: var(--landing); }}
.meter i.bad {{ background: var(--bad); }}
svg {{ display: block; width: 100%; height: auto; }}
svg.timeline {{ min-width: 640px; }}
.plots svg {{ max-width: 460px; }}
.plots + ul {{ margin-top: 1.2rem; }}
footer {{ color: var(--quiet); font-size: .85rem; padding-top: 4px; padding-bottom: 28px; }}
@media (max-width: 560px) {{
  main, header, nav, footer {{ padding-left: 12px; padding-right: 12px; }}
  section {{ padding: 14px 12px; border-radius: 8px; }}
  h1 {{ font-size: 1.25rem; }}
}}
@media print {{ body {{ background: #fff; }} section {{ break-inside: avoid; }} }}
"""
