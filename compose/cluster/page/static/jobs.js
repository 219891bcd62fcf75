import { bytes, count, el, grid, plural, put, since, state, trouble } from "./dom.js";

// jobs shows the caller's jobs.
export function jobs() {
  const list = el("div");
  const root = el("section", { "aria-labelledby": "jobs" }, el("div", { class: "head" }, el("h1", { id: "jobs" }, "Your jobs")), list);
  return {
    root, title: "jobs", path: "/v1/events",
    on: { jobs: (l) => put(list, ...shown(l)) },
  };
}

const columns = [
  { name: "Job" }, { name: "State" }, { name: "Opened", number: true }, { name: "Stages", number: true },
  { name: "Taken in", number: true }, { name: "Answers" },
];

function shown(list) {
  const out = [];
  if (list.silent?.length) {
    out.push(trouble(`Worker ${list.silent.join(", ")} does not answer for all of its jobs; some may be missing.`,
      "look at the cluster: jobs go on when it is back."));
  }
  if (!list.jobs.length) {
    out.push(el("div", { class: "box empty" }, el("p", {}, "You have no jobs here."),
      el("p", {}, "Next: ", el("code", {}, "analyzer submit movies DIR"))));
    return out;
  }
  const rows = list.jobs.map((j) => [
    el("a", { href: "#/job/" + j.job }, `${j.label} `, el("span", { class: "id" }, j.job.slice(0, 8))),
    state(j.state), since(j.opened) + " ago", progressOf(j), `${plural(j.rows, "row")}, ${bytes(j.bytes)}`,
    (j.answers ?? []).join(", ") || "none yet",
  ]);
  out.push(grid(plural(list.jobs.length, "job") + ", newest first", columns, rows, list.jobs.map((j) => j.job)));
  return out;
}

export function progressOf(status) {
  const stages = status.stages ?? [];
  const done = stages.filter((s) => s.phases.done === s.replicas).length;
  return `${count(done)} of ${count(stages.length)}`;
}
