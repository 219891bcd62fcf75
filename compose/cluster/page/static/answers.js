import { ask, parseExactly } from "./api.js";
import { asOf, count, el, news, plural, trouble } from "./dom.js";

const formats = { csv: "CSV", json: "JSON", arrow: "Arrow", parquet: "Parquet" };
const extension = { csv: "csv", json: "json", arrow: "arrows", parquet: "parquet" };
const mostRows = 1000;

// answers shows the answers of a job as they come.
export function answers(id, signal) {
  const early = el("button", { type: "button", hidden: true, onclick: askEarly }, "Answer for what has come");
  const wrong = el("div");
  const boxes = new Map();
  const list = el("div");

  function show(job) {
    early.hidden = !job.follow || job.status.state !== "running";
    for (const a of job.answers) {
      if (!boxes.has(a.query)) {
        boxes.set(a.query, answer(id, a, signal));
        list.append(boxes.get(a.query).root);
      }
      if (job.failure) boxes.get(a.query).miss("failed");
      else if (job.status.answers?.includes(a.query)) boxes.get(a.query).load(id, job.cut);
    }
  }

  // askEarly has answers made for what has been uploaded so far, as a job of its own,
  // which ends when they were fetched.
  async function askEarly() {
    early.disabled = true;
    wrong.replaceChildren();
    let cut;
    try {
      cut = await (await ask(`/v1/jobs/${id}/cut`, { method: "POST", signal })).json();
      await Promise.all([...boxes.values()].map((b) => b.load(cut.job, cut.cut)));
    } catch (e) {
      if (!signal.aborted) wrong.replaceChildren(trouble(e.message, e.next));
    }
    early.disabled = false;
    if (cut) await ask("/v1/jobs/" + cut.job, { method: "DELETE" }).catch(() => {}); // it expires otherwise
  }
  return { root: el("div", {}, early, wrong, list), show, gone: () => { early.hidden = true; boxes.forEach((b) => b.gone()); } };
}

const pause = 300;

// rowsOf returns the first rows of an answer, which it waits for.
async function rowsOf(job, query, signal) {
  for (;;) {
    try {
      const response = await ask(`/v1/jobs/${job}/answers/${encodeURIComponent(query)}?format=json&rows=${mostRows + 1}`, { signal });
      return parseExactly(await response.text())[query];
    } catch (e) {
      if (signal.aborted || !["NOT_READY", "TROUBLE", "BUSY"].includes(e.code)) throw e;
    }
    await new Promise((go) => setTimeout(go, pause));
  }
}

function answer(id, a, signal) {
  const none = el("p", { class: "box muted" }, "It is not there yet.");
  const body = el("div", {}, none);
  const about = el("span", { class: "muted" });
  const wrong = el("div");
  const buttons = Object.entries(formats).map(([format, name]) =>
    el("button", { type: "button", disabled: true, "aria-label": `Download ${a.query} as ${name}`, onclick: (e) => download(e.target, format) }, name));
  const root = el("section", { class: "answer", "aria-label": "Answer " + a.query },
    el("div", { class: "head" }, el("h3", {}, a.query), a.title && el("span", { class: "title" }, a.title), about, el("div", { class: "end" }, buttons)),
    wrong, body);
  let loading = false;
  let complete = false;

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

  // load shows the answer of a job: of this one, or of one about a part of the tables.
  async function load(job, cut) {
    const whole = job === id;
    if (loading || complete) return;
    loading = whole;
    try {
      const { columns, rows } = await rowsOf(job, a.query, signal);
      if (complete) return;
      complete = whole;
      const more = rows.length > mostRows;
      if (more) rows.pop();
      about.textContent = `${more ? "the first " : ""}${plural(rows.length, "row")}, ${cut ? "exact for " + asOf(cut) : "complete"}`;
      body.replaceChildren(rows.length ? sortable(`The answer to ${a.query}`, columns, rows) : el("p", { class: "box muted" }, "It has no rows."));
      for (const b of buttons) b.disabled = !whole;
      news(`The answer to ${a.query} is there: ${count(rows.length)} rows${cut ? ", as of a part of the tables" : ""}.`);
      wrong.replaceChildren();
    } catch (e) {
      if (!signal.aborted && e.code !== "JOB_ENDED") wrong.replaceChildren(trouble(e.message, e.next));
    }
    if (whole) loading = false; // the next look tries again if it is not complete
  }
  // miss says that an answer will not come.
  function miss(how) {
    none.textContent = `The job ${how} before it was fetched.`;
  }

  function gone() {
    miss("ended");
    for (const b of buttons) {
      b.disabled = true;
      b.title = "The job is gone.";
    }
  }
  return { root, load, miss, gone };
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
