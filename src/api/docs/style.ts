// The style sheet of the reference page: one column to read, one to find the way, light and dark.

import { languageStyles } from "./code-examples.ts";

export const styleSheet = `
:root {
  color-scheme: light dark;
  --ink: #1d2430; --soft: #596377; --line: #dfe3ea; --paper: #ffffff; --shade: #f5f6f9;
  --accent: #2f55c8; --method: #1d7a4a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6e9f0; --soft: #a0a9bb; --line: #2d3442; --paper: #14181f; --shade: #1c212b;
    --accent: #93aeff; --method: #6fd3a0;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; color: var(--ink); background: var(--paper);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  display: grid; grid-template-columns: 16rem minmax(0, 1fr);
}
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.5rem;
  border-right: 1px solid var(--line); background: var(--shade); font-size: 0.9rem;
}
nav .name { margin: 0 0 1.5rem; font-weight: 650; font-size: 1.05rem; }
nav small, nav b { color: var(--soft); font-weight: 500; font-size: 0.75rem; }
nav h2 {
  margin: 1.5rem 0 0.4rem; font-size: 0.72rem; letter-spacing: 0.07em; text-transform: uppercase;
  color: var(--soft); border: 0; padding: 0;
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 0.2rem 0; color: var(--ink); text-decoration: none; }
nav li a[aria-current] { color: var(--accent); font-weight: 600; }
nav > p:last-child { margin: 1.75rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); }
nav li a:hover { color: var(--accent); text-decoration: underline; }
main { max-width: 52rem; padding: 2.5rem clamp(1.25rem, 5vw, 4rem) 6rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; }
h2 {
  margin: 3rem 0 0.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line);
  font-size: 1.35rem; line-height: 1.3; letter-spacing: -0.01em;
}
h3 { margin: 0 0 0.75rem; font: 600 1.1rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
h4 { margin: 1.5rem 0 0.4rem; font-size: 0.85rem; color: var(--soft); font-weight: 600; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.base { color: var(--soft); margin: 0.5rem 0 1.5rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: 0.5rem; z-index: 1; }
.method { color: var(--method); font-size: 0.85em; margin-right: 0.35em; }
section { margin: 2.5rem 0; padding: 1.5rem; border: 1px solid var(--line); border-radius: 10px; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.86em; }
p code, li code, td code { background: var(--shade); padding: 0.1em 0.2em; border-radius: 4px; }
pre {
  margin: 0 0 1rem; padding: 0.9rem 1rem; overflow-x: auto; line-height: 1.5;
  background: var(--shade); border: 1px solid var(--line); border-radius: 8px;
}
pre code { font-size: 0.82rem; white-space: pre-wrap; overflow-wrap: anywhere; }
/* Fixed, so that choosing one by its label does not scroll to it. */
.languages { position: fixed; top: 0; left: 0; margin: 0; padding: 0; border: 0; opacity: 0; pointer-events: none; }
.tabs { display: flex; gap: 0.25rem; margin-bottom: 0.4rem; }
.tabs label {
  padding: 0.15rem 0.6rem; color: var(--soft); font-size: 0.85rem; cursor: pointer;
  border-bottom: 2px solid transparent;
}
.tabs label:hover { color: var(--ink); }
.example { display: none; }
${languageStyles}
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.5rem 0.9rem 0.5rem 0; text-align: left; vertical-align: top; }
tr + tr > *, thead + tbody > tr > * { border-top: 1px solid var(--line); }
th { font-weight: 500; white-space: nowrap; }
thead th { color: var(--soft); font-size: 0.8rem; padding-bottom: 0.3rem; }
tr:target > * { background: var(--shade); }
section th { width: 9.5rem; }
.type { color: var(--soft); white-space: nowrap; width: 9.5rem; }
details summary { cursor: pointer; color: var(--accent); font-size: 0.9rem; margin: 0.5rem 0; }
@media (max-width: 56rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav { padding: 1.25rem; }
  nav .name { margin-bottom: 1rem; }
  nav h2 { margin-top: 1rem; }
  nav ul { display: flex; flex-wrap: wrap; column-gap: 1.25rem; }
  section th, .type { width: auto; }
  main { padding-top: 1.5rem; }
  section { padding: 1rem; }
}
@media print { nav { display: none; } body { display: block; } }
`;
