// Elements, and numbers as people read them.

// el makes an element: attributes, listeners (onclick) and properties by their names.
export function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== false));
  return e;
}

// put makes of what is in an element what it is to be, and touches nothing else: what is
// selected, has the focus, or was scrolled, stays. Children must not listen for events.
export function put(e, ...children) {
  mend(e, el("div", {}, ...children));
}

// mend gives an element the children of another one. One with a data-key becomes none
// that has another.
function mend(old, made) {
  const key = (node) => node?.dataset?.key;
  const keys = new Set([...made.children].map(key));
  for (const child of [...old.children]) if (key(child) && !keys.has(key(child))) child.remove();
  let at = old.firstChild;
  for (const child of [...made.childNodes]) {
    if (at && at.nodeName === child.nodeName && key(at) === key(child)) {
      if (!at.isEqualNode(child)) become(at, child);
      at = at.nextSibling;
    } else {
      old.insertBefore(child, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function become(old, made) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = made.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  mend(old, made);
}

const whole = new Intl.NumberFormat("en");
export const count = (n) => whole.format(Math.round(n ?? 0));
export const plural = (n, what) => `${count(n)} ${what}${n === 1 ? "" : "s"}`;

export function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  for (; n >= 1024 && i < units.length - 1; i++) n /= 1024;
  return `${n.toFixed(i === 0 || n >= 100 ? 0 : 1)} ${units[i]}`;
}

// time is for nanoseconds.
export function time(ns) {
  const s = ns / 1e9;
  if (s < 0.001) return "0 ms";
  if (s < 1) return `${Math.round(s * 1000)} ms`;
  if (s < 100) return `${s.toFixed(s < 10 ? 1 : 0)} s`;
  if (s < 5400) return `${Math.round(s / 60)} min`;
  return s < 172800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86400)} days`;
}

export const since = (when) => time(Math.max(0, Date.now() - new Date(when)) * 1e6);

export const state = (name) => el("span", { class: "state " + name }, name);

export const facts = (...pairs) =>
  el("dl", { class: "facts" }, pairs.filter((p) => p && p[1] !== "").map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v))));

// trouble says what is wrong, and what to do.
export const trouble = (what, next) =>
  el("div", { class: "box bad", role: "alert" }, el("p", {}, el("b", {}, what[0].toUpperCase() + what.slice(1))), next && el("p", {}, "Next: " + next));

// asOf says of which part of the tables an answer is.
export const asOf = (cut) => "the first blocks: " + Object.entries(cut).map(([table, n]) => `${count(n)} of ${table}`).join(", ");

// grid makes a table; columns are {name, number}, rows lists of cells, of which the first
// is the row's head. Keys, if there are any, say which row is the same as before.
export function grid(caption, columns, rows, keys = []) {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {},
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, columns.map((c) => el("th", { scope: "col", class: c.number && "n" }, c.name)))),
      el("tbody", {}, rows.map((row, r) => el("tr", { "data-key": keys[r] }, row.map((cell, i) =>
        i === 0 ? el("th", { scope: "row" }, cell) : el("td", { class: columns[i].number && "n" }, cell)))))));
}

// news tells who cannot see what has happened.
export function news(text) {
  document.getElementById("news").textContent = text;
}
