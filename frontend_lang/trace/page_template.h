// The page of a trace, with kDataMark where its data go.
#pragma once

#include <string_view>

namespace espalier::program {

inline constexpr std::string_view kDataMark = "/*DATA*/";

inline constexpr std::string_view kPageTemplate = R"PAGE(<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trace</title>
<style>
  :root { --ink: #1d2129; --quiet: #697180; --line: #e3e6eb; --page: #fff; --row: #f6f7f9;
          --gen: #2f6fde; --select: #8a4fd0; --cached: #9ec3f5; --error: #d23c3c; --join: #2a9d63; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6e8ec; --quiet: #98a0ae; --line: #343a44; --page: #16191e; --row: #1d2127;
            --cached: #33527f; } }
  * { box-sizing: border-box; }
  body { margin: 0; font: 13px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--page); }
  header { padding: 12px 16px; border-bottom: 1px solid var(--line); }
  h1 { margin: 0 0 4px; font-size: 16px; }
  .facts span { margin-right: 18px; color: var(--quiet); }
  .facts b { color: var(--ink); font-weight: 600; }
  .key { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 4px; }
  #bar { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line);
         padding: 6px 16px; display: flex; gap: 12px; align-items: center; color: var(--quiet); }
  #bar input { font: inherit; padding: 2px 6px; color: inherit; background: var(--row);
               border: 1px solid var(--line); border-radius: 4px; }
  #bar button { font: inherit; }
  #picture { display: block; }
  text { font: 11px system-ui, sans-serif; fill: var(--ink); }
  text.quiet { fill: var(--quiet); }
  .fold { cursor: pointer; }
  #tip { position: fixed; z-index: 3; max-width: 560px; padding: 8px 10px; background: var(--page);
         border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 4px 16px #0003;
         pointer-events: none; display: none; }
  #tip pre { margin: 4px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 240px;
             overflow: hidden; font: 12px ui-monospace, monospace; }
  #tip .before { color: var(--quiet); }
</style>
<header><h1 id="title"></h1><div class="facts" id="facts"></div></header>
<div id="bar">
  <span><i class="key" style="background:var(--gen)"></i>gen</span>
  <span><i class="key" style="background:var(--select)"></i>select</span>
  <span><i class="key" style="background:var(--cached)"></i>share of the prompt from the cache</span>
  <span><i class="key" style="background:var(--join)"></i>join</span>
  <span><i class="key" style="background:var(--error)"></i>error</span>
  <input id="find" placeholder="find in names and texts" aria-label="find">
  <button id="whole">whole run</button>
  <span>wheel + Ctrl: zoom · drag: move · click a state: fold</span>
</div>
<svg id="picture" xmlns="http://www.w3.org/2000/svg"></svg>
<div id="tip"></div>
<script>
"use strict";
const trace = /*DATA*/;
const $ = id => document.getElementById(id);
const kRow = 20, kNames = 230, kTop = 26;
const svg = $("picture");
const children = trace.states.map(() => []), roots = [];
trace.states.forEach((s, i) => (s.parent < 0 ? roots : children[s.parent]).push(i));
const callsOf = trace.states.map(() => []);
trace.calls.forEach(c => callsOf[c.state].push(c));
const folded = new Set();
let from = 0, to = Math.max(trace.end, 1), row = new Map(), rows = [];

function layOut() {
  rows = []; row = new Map();
  const stack = roots.slice().reverse().map(i => [i, 0]);
  while (stack.length) {
    const [i, depth] = stack.pop();
    row.set(i, rows.length);
    rows.push([i, depth]);
    if (!folded.has(i)) for (const c of children[i].slice().reverse()) stack.push([c, depth + 1]);
  }
}
function make(name, attributes, text) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text !== undefined) e.textContent = text;
  return e;
}
const ms = us => us >= 1e6 ? (us / 1e6).toFixed(2) + " s" : (us / 1e3).toFixed(us < 1e4 ? 2 : 0) + " ms";
function width() { return Math.max(document.documentElement.clientWidth, 600); }
function x(us) { return kNames + (us - from) / (to - from) * (width() - kNames - 16); }
function clamp(v) { return Math.min(Math.max(v, kNames), width() - 8); }
function matches(c) {
  const word = $("find").value.toLowerCase();
  return !word || (c.name + "\n" + c.text + "\n" + c.before).toLowerCase().includes(word);
}
function grid() {
  const about = (to - from) / 8, power = 10 ** Math.floor(Math.log10(about));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= about);
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    svg.append(make("line", {x1: x(t), x2: x(t), y1: kTop - 6, y2: kTop + rows.length * kRow, stroke: "var(--line)"}));
    svg.append(make("text", {x: x(t) + 3, y: 14, class: "quiet"}, ms(t)));
  }
}
function drawCall(c, y) {
  if (c.end < from || c.start > to) return;
  const a = clamp(x(c.start)), b = Math.max(clamp(x(c.end)), a + 2);
  const color = c.error ? "var(--error)" : c.kind === "select" ? "var(--select)" : "var(--gen)";
  const g = make("g", {opacity: matches(c) ? 1 : 0.15});
  g.append(make("rect", {x: a, y: y + 3, width: b - a, height: kRow - 6, rx: 2, fill: color}));
  const share = c.prompt > 0 ? c.cached / c.prompt : 0;
  g.append(make("rect", {x: a, y: y + kRow - 7, width: (b - a) * share, height: 4, fill: "var(--cached)"}));
  if (b - a > 40 && c.name) {
    const t = make("text", {x: a + 4, y: y + 13, style: "fill:#fff"}, c.name.slice(0, (b - a) / 7));
    g.append(t);
  }
  g.addEventListener("mousemove", e => tip(e, c));
  g.addEventListener("mouseleave", () => $("tip").style.display = "none");
  svg.append(g);
}
function drawState([i, depth], n) {
  const s = trace.states[i], y = kTop + n * kRow;
  if (n % 2) svg.append(make("rect", {x: 0, y, width: width(), height: kRow, fill: "var(--row)"}));
  const more = children[i].length ? (folded.has(i) ? "▸ " : "▾ ") : "";
  const hidden = folded.has(i) ? " (" + children[i].length + " forks)" : "";
  const label = make("text", {x: 12 + Math.min(depth, 8) * 12, y: y + 14, class: "fold"},
                     (more + (s.name || "state " + i) + hidden).slice(0, 34 - Math.min(depth, 8)));
  label.addEventListener("click", () => { folded.has(i) ? folded.delete(i) : folded.add(i); draw(); });
  svg.append(label);
  svg.append(make("line", {x1: clamp(x(s.start)), x2: clamp(x(s.end)), y1: y + kRow / 2, y2: y + kRow / 2,
                           stroke: "var(--quiet)", "stroke-width": 1}));
  if (s.parent >= 0 && row.has(s.parent)) {
    const at = clamp(x(s.start));
    svg.append(make("line", {x1: at, x2: at, y1: kTop + row.get(s.parent) * kRow + kRow / 2, y2: y + kRow / 2,
                             stroke: "var(--quiet)", "stroke-dasharray": "2 2"}));
  }
  callsOf[i].forEach(c => drawCall(c, y));
}
function draw() {
  layOut();
  svg.replaceChildren();
  svg.setAttribute("width", width());
  svg.setAttribute("height", kTop + rows.length * kRow + 20);
  rows.forEach(drawState);
  grid();
  for (const j of trace.joins) {
    if (!row.has(j.child) || !row.has(j.parent) || j.at < from || j.at > to) continue;
    svg.append(make("circle", {cx: x(j.at), cy: kTop + row.get(j.child) * kRow + kRow / 2, r: 3, fill: "var(--join)"}));
  }
}
function line(className, text) {
  const e = document.createElement(className === "pre" || className === "before" ? "pre" : "div");
  e.className = className; e.textContent = text;
  return e;
}
function tip(event, c) {
  const box = $("tip");
  box.replaceChildren(
    line("", c.kind + (c.name ? " " + c.name : "") + " · " + ms(c.end - c.start) + " · prompt " + c.prompt +
         " (" + c.cached + " cached) · out " + c.completion + (c.forced ? " (" + c.forced + " forced)" : "")));
  if (c.constraint) box.append(line("", c.constraint.slice(0, 300)));
  if (c.error) box.append(line("", c.error));
  if (c.before) box.append(line("before", c.before.slice(-400)));
  if (c.text) box.append(line("pre", c.text));
  box.style.display = "block";
  box.style.left = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8) + "px";
  box.style.top = Math.min(event.clientY + 14, innerHeight - box.offsetHeight - 8) + "px";
}
function facts() {
  const sum = f => trace.calls.reduce((n, c) => n + f(c), 0);
  const prompt = sum(c => c.prompt), cached = sum(c => c.cached);
  const list = [["time", ms(trace.end)], ["states", trace.states.length], ["calls", trace.calls.length],
    ["prompt tokens", prompt], ["from the cache", prompt ? (100 * cached / prompt).toFixed(1) + " %" : "–"],
    ["output tokens", sum(c => c.completion)], ["forced", sum(c => c.forced)]];
  if (trace.left_out) list.push(["left out", trace.left_out]);
  for (const [name, value] of list) {
    const span = document.createElement("span"), b = document.createElement("b");
    b.textContent = value;
    span.append(name + " ", b);
    $("facts").append(span);
  }
}
svg.addEventListener("wheel", e => {
  if (!e.ctrlKey) return;
  e.preventDefault();
  const at = from + (e.clientX - kNames) / (width() - kNames - 16) * (to - from);
  const k = e.deltaY < 0 ? 0.8 : 1.25;
  from = Math.max(at - (at - from) * k, 0);
  to = Math.min(at + (to - at) * k, Math.max(trace.end, 1));
  draw();
}, {passive: false});
let held = null;
svg.addEventListener("mousedown", e => held = [e.clientX, from, to]);
addEventListener("mouseup", () => held = null);
addEventListener("mousemove", e => {
  if (!held) return;
  const by = (held[0] - e.clientX) / (width() - kNames - 16) * (held[2] - held[1]);
  const shift = Math.min(Math.max(by, -held[1]), Math.max(trace.end, 1) - held[2]);
  if (shift === 0) return;
  from = held[1] + shift; to = held[2] + shift;
  draw();
});
$("whole").addEventListener("click", () => { from = 0; to = Math.max(trace.end, 1); draw(); });
$("find").addEventListener("input", draw);
addEventListener("resize", draw);
document.title = $("title").textContent = trace.title;
facts();
draw();
</script>
</html>
)PAGE";

}  // namespace espalier::program
