import { ask } from "./api.js";
import { answers } from "./answers.js";
import { asOf, bytes, count, el, facts, grid, news, plural, put, since, state, time, trouble } from "./dom.js";
import { graph, phaseOf } from "./graph.js";
import { progressOf } from "./jobs.js";

// job shows one job from its opening to its answers.
export function job(id, signal) {
  const badge = el("span");
  const title = el("h1", { id: "job" }, "Job ", el("span", { class: "id" }, id.slice(0, 8)));
  const about = el("div");
  const wrong = el("div");
  const cancel = el("button", { type: "button", class: "danger", onclick: () => end(id, cancel, wrong) }, "Cancel the job");
  const stages = graph();
  const parts = el("div");
  const tables = el("div", { class: "two" });
  const found = answers(id, signal);
  const root = el("article", { "aria-labelledby": "job" },
    el("div", { class: "head" }, title, badge, el("div", { class: "end" }, cancel)), about, wrong,
    el("section", { "aria-labelledby": "answers" }, el("h2", { id: "answers" }, "Answers"), found.root),
    el("section", { "aria-labelledby": "stages" }, el("h2", { id: "stages" }, "Stages"), stages.root),
    el("section", { "aria-labelledby": "parts" }, el("h2", { id: "parts" }, "Stages by worker"), parts),
    el("section", { "aria-labelledby": "tables" }, el("h2", { id: "tables" }, "Tables and rejected rows"), tables));
  const measured = rates();
  let last = "";

  function show(j) {
    const s = j.status;
    put(title, j.label + " ", el("span", { class: "id" }, id.slice(0, 8)));
    put(badge, state(s.state));
    document.title = `analyzer: ${j.label}, ${s.state}`;
    put(about, facts(
      ["Opened", since(s.opened) + " ago"], ["Stages done", progressOf(s)],
      ["Taken in", `${plural(s.rows, "row")}, ${bytes(s.bytes)}`], ["Workers", count(s.replicas)],
      isAlone(j) && ["Client", "gone for " + time(s.idle)],
      j.cut && ["As of", asOf(j.cut)]));
    put(wrong, ...troubles(j), j.open && s.state === "running" && staysOpen(id));
    cancel.hidden = s.state === "ending";
    put(cancel, s.state === "running" || s.state === "opening" ? "Cancel the job" : "Remove the job");
    const of = measured.of(s);
    stages.show(j, of.stages);
    put(parts, byWorker(j, of.parts));
    put(tables, ...j.tables.map((name) => table(name, j)));
    found.show(j);
    if (s.state !== last) news(`The job is ${s.state}.`);
    last = s.state;
  }

  function gone(f) {
    const fetched = f.error.includes("the answers were fetched");
    put(badge, state(fetched ? "done" : "ended"));
    cancel.hidden = true;
    put(wrong, fetched
      ? el("p", { class: "box" }, "The job is done: its answers were fetched, and the cluster has forgotten it. What was shown here stays until you leave.")
      : trouble(f.error, f.next));
    news(f.error);
    found.gone();
  }

  return { root, title: "job", path: `/v1/jobs/${id}/events`, on: { job: show, gone } };
}

async function end(id, button, wrong) {
  if (!confirm(`${button.textContent}? Its answers go with it.`)) return;
  button.disabled = true;
  try {
    await ask("/v1/jobs/" + id, { method: "DELETE" });
  } catch (e) {
    button.disabled = false;
    put(wrong, trouble(e.message, e.next));
  }
}

function troubles(j) {
  const s = j.status;
  const out = [];
  if (j.failure) out.push(trouble(j.failure.error, j.failure.next));
  if (s.silent?.length) {
    out.push(trouble(`Worker ${s.silent.join(", ")} does not answer.`, "wait: it is started again where a supervisor runs, and goes on where it was. Nothing is lost."));
  }
  if (!j.failure && isAlone(j)) {
    out.push(trouble("The job's client has gone.", `where it was submitted, it goes on with: analyzer submit --resume ${s.job}`));
  }
  return out;
}

// isAlone reports whether a job waits for a client that has gone. One that stays open
// waits for nobody.
const isAlone = (j) => j.status.idle > 15e9 && j.status.uploading && !j.open;

const staysOpen = (id) => el("p", { class: "muted" }, "It stays open. Where it was opened ", el("code", {}, `analyzer append ${id.slice(0, 8)} --table NAME=FILE`),
  " continues a table, and ", el("code", {}, `analyzer close ${id.slice(0, 8)}`), " ends it.");

// rates remembers what has come, to tell how fast it comes.
function rates() {
  const before = new Map();
  const window = 3000;
  function rate(key, rows) {
    const now = performance.now();
    const seen = before.get(key) ?? [];
    seen.push({ now, rows });
    while (seen.length > 2 && now - seen[0].now > window) seen.shift();
    before.set(key, seen);
    const span = now - seen[0].now;
    return span > 0 ? Math.max(0, (rows - seen[0].rows) * 1000 / span) : 0;
  }
  return {
    of(s) {
      const stages = new Map((s.stages ?? []).map((t) => [t.stage, rate("s" + t.stage, t.rows)]));
      const parts = new Map();
      for (const [replica, all] of Object.entries(s.parts ?? {})) {
        for (const t of all) parts.set(replica + "." + t.stage, rate(replica + "." + t.stage, t.rows));
      }
      return { stages, parts };
    },
  };
}

const columns = [
  { name: "Stage" }, { name: "Worker", number: true }, { name: "Phase" }, { name: "Messages", number: true }, { name: "Rows", number: true },
  { name: "Rows/s", number: true }, { name: "Computed", number: true }, { name: "Spilled", number: true }, { name: "Longest wait", number: true },
];

function byWorker(j, rate) {
  const rows = [];
  for (const [replica, all] of Object.entries(j.status.parts ?? {})) {
    for (const t of all) {
      const r = t.phases.done ? 0 : t.todo ? (t.done ?? 0) / Math.max(t.took / 1e9, 0.001) : rate.get(replica + "." + t.stage);
      rows.push({ t, replica, cells: [
        `Stage ${t.stage}`, replica, state(phaseOf(t)), count(t.batches), count(t.rows), r > 0 ? count(r) : "–",
        t.todo ? `${count(t.done ?? 0)} of ${count(t.todo)}` : "–", t.spilled ? bytes(t.spilled) : "–", t.waited ? time(t.waited) : "–",
      ] });
    }
  }
  rows.sort((a, b) => a.t.stage - b.t.stage || a.replica - b.replica);
  return grid("What each worker has done of each stage", columns, rows.map((r) => r.cells), rows.map((r) => `${r.t.stage}.${r.replica}`));
}

function table(name, j) {
  const s = j.status;
  const read = s.tables?.find((t) => t.table === name);
  const head = el("div", { class: "head" }, el("h3", {}, name));
  if (!read) {
    return el("div", { class: "box" }, head, el("p", { class: "muted" }, j.open ? "Files can be appended to it." : s.uploading ? "Its client is reading it, or will." : "Nothing is known of what was in it."));
  }
  const counts = (read.rejected ?? []).filter((c) => c.what !== "blank-line");
  const rejected = counts.reduce((n, c) => n + c.count, 0);
  const list = (all) => el("ul", {}, all.map((c) => el("li", {}, `${count(c.count)} ${c.what}${c.column ? " in " + c.column : ""}`)));
  return el("div", { class: "box" }, head,
    el("p", {}, `${plural(read.rows, "row")}, ${rejected ? count(rejected) + " rejected:" : "none rejected"}`),
    rejected > 0 && list(counts),
    read.warnings?.length > 0 && [el("p", { class: "muted" }, "Noted:"), list(read.warnings)]);
}
