import { ask, parseExactly } from "./api.js";
import { count, el, news, plural, trouble } from "./dom.js";

const formats = { csv: "CSV", json: "JSON", arrow: "Arrow", parquet: "Parquet" };
const extension = { csv: "csv", json: "json", arrow: "arrows", parquet: "parquet" };
const mostRows = 1000;

// answers shows the answers of a job as they come.
export function answers(id, signal) {
  const root = el("div");
  const boxes = new Map();

  function show(job) {
    for (const a of job.answers) {
      if (!boxes.has(a.query)) {
        boxes.set(a.query, answer(id, a, signal));
        root.append(boxes.get(a.query).root);
      }
      if (job.status.answers?.includes(a.query)) boxes.get(a.query).load(job);
    }
  }
  return { root, show, gone: () => boxes.forEach((b) => b.gone()) };
}

function answer(id, a, signal) {
  const body = el("div", {}, el("p", { class: "box muted" }, "It is not there yet."));
  const about = el("span", { class: "muted" });
  const wrong = el("div");
  const buttons = Object.entries(formats).map(([format, name]) =>
    el("button", { type: "button", disabled: true, "aria-label": `Download ${a.query} as ${name}`, onclick: (e) => download(e.target, format) }, name));
  const root = el("section", { class: "answer", "aria-label": "Answer " + a.query },
    el("div", { class: "head" }, el("h3", {}, a.query), a.title && el("span", { class: "title" }, a.title), about, el("div", { class: "end" }, buttons)),
    wrong, body);
  let loading = false;

  async function download(button, format) {
    button.disabled = true;
    wrong.replaceChildren();
    try {
      const response = await ask(`/v1/jobs/${id}/answers/${encodeURIComponent(a.query)}?format=${format}`, { signal });
      const link = el("a", { href: URL.createObjectURL(await response.blob()), download: `${a.query}.${extension[format]}` });
      link.click();
      URL.revokeObjectURL(link.href);
      news(`${a.query} is downloaded as ${formats[format]}.`);
    } catch (e) {
      if (!signal.aborted) wrong.replaceChildren(trouble(e.message, e.next));
    }
    button.disabled = false;
  }

  async function load(job) {
    if (loading) return;
    loading = true;
    try {
      const response = await ask(`/v1/jobs/${id}/answers/${encodeURIComponent(a.query)}?format=json&rows=${mostRows + 1}`, { signal });
      const { columns, rows } = parseExactly(await response.text())[a.query];
      const more = rows.length > mostRows;
      if (more) rows.pop();
      const asOf = job.cut ? Object.entries(job.cut).map(([t, n]) => `${t}: first ${plural(n, "block")}`).join(", ") : "";
      about.textContent = `${more ? "the first " : ""}${plural(rows.length, "row")}, ${asOf ? "as of " + asOf : "complete"}`;
      body.replaceChildren(rows.length ? sortable(`The answer to ${a.query}`, columns, rows) : el("p", { class: "box muted" }, "It has no rows."));
      for (const b of buttons) b.disabled = false;
      news(`The answer to ${a.query} is there: ${count(rows.length)} rows.`);
    } catch (e) {
      loading = false; // the next look tries again
      if (!signal.aborted && e.code !== "JOB_ENDED") wrong.replaceChildren(trouble(e.message, e.next));
      return;
    }
    wrong.replaceChildren();
  }
  return { root, load, gone: () => buttons.forEach((b) => { b.disabled = true; b.title = "The job is gone."; }) };
}

// sortable makes a table whose heads sort it: up, down, and as the answer has it.
function sortable(caption, columns, rows) {
  const body = el("tbody");
  const isNumber = columns.map((_, i) => rows.some((r) => r[i] !== null) && rows.every((r) => r[i] === null || typeof r[i] === "number" || r[i]?.constructor.name === "Exact"));
  const cell = (v, i) => el("td", { class: isNumber[i] ? "n" : "text" }, v === null ? el("i", { class: "muted" }, "null") : Array.isArray(v) ? v.join(", ") : String(v));
  const fill = (all) => body.replaceChildren(...all.map((r) => el("tr", {}, r.map(cell))));
  const compare = (a, b, i) => {
    if (a[i] === null || b[i] === null) return (a[i] === null) - (b[i] === null);
    return isNumber[i] ? a[i] - b[i] : String(a[i]).localeCompare(String(b[i]));
  };
  const heads = columns.map((name, i) => el("th", { scope: "col", "aria-sort": "none", class: isNumber[i] && "n" },
    el("button", { type: "button", onclick: () => sort(i) }, name)));

  function sort(i) {
    const way = { none: "ascending", ascending: "descending", descending: "none" }[heads[i].getAttribute("aria-sort")];
    heads.forEach((h, k) => h.setAttribute("aria-sort", k === i ? way : "none"));
    const sign = way === "descending" ? -1 : 1;
    fill(way === "none" ? rows : rows.toSorted((a, b) => sign * compare(a, b, i)));
    news(way === "none" ? "In the order of the answer." : `Sorted by ${columns[i]}, ${way}.`);
  }
  fill(rows);
  return el("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("caption", { class: "hidden" }, caption), el("thead", {}, el("tr", {}, heads)), body));
}
