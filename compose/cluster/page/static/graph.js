import { bytes, count, el, plural, put, state, time } from "./dom.js";

// graph draws the stages of a job from left to right, as rows flow. It returns what
// shows them and what to call with how the job is.
export function graph() {
  const root = el("ol", { class: "graph", "aria-label": "Stages, in the order in which rows flow" });
  const lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  lines.setAttribute("aria-hidden", "true");
  const cards = new Map();
  let plan;
  let flows = new Set();

  function draw() {
    lines.setAttribute("width", root.scrollWidth);
    lines.setAttribute("height", root.scrollHeight);
    const base = root.getBoundingClientRect();
    const at = (card) => {
      const b = card.getBoundingClientRect();
      return { left: b.left - base.left + root.scrollLeft, right: b.right - base.left + root.scrollLeft, middle: b.top - base.top + b.height / 2 };
    };
    lines.replaceChildren(...plan.stages.flatMap((s) => (s.from ?? []).map((from) => {
      const a = at(cards.get(from).root);
      const b = at(cards.get(s.stage).root);
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const bend = Math.max(18, (b.left - a.right) / 2);
      path.setAttribute("d", `M${a.right} ${a.middle} C${a.right + bend} ${a.middle} ${b.left - bend} ${b.middle} ${b.left} ${b.middle}`);
      if (flows.has(s.stage)) path.setAttribute("class", "flows");
      return path;
    })));
  }

  function build(job) {
    plan = job;
    for (const s of job.stages) cards.set(s.stage, card(s));
    const columns = [];
    for (const s of job.stages) (columns[depth(s.stage, job.stages)] ??= []).push(cards.get(s.stage).root);
    root.replaceChildren(lines, ...columns.map((c) => el("li", { class: "column" }, el("ol", { class: "column" }, c))));
    new ResizeObserver(draw).observe(root);
  }

  return {
    root,
    show(job, rates) {
      if (!plan) build(job);
      flows = new Set();
      for (const s of job.stages) {
        const now = job.status.stages?.find((t) => t.stage === s.stage);
        const read = job.status.tables?.find((t) => t.table === s.table);
        cards.get(s.stage).show(now, read, rates.get(s.stage), job);
        if (now && phaseOf(now) !== "done" && (rates.get(s.stage) > 0 || now.phases.computing)) flows.add(s.stage);
      }
      draw();
    },
  };
}

// depth is how many stages rows have passed at most before one.
function depth(stage, stages) {
  const from = stages.find((s) => s.stage === stage).from ?? [];
  return from.length ? 1 + Math.max(...from.map((f) => depth(f, stages))) : 0;
}

// phaseOf is the phase of a stage over all workers: that of those which are furthest back.
export function phaseOf(now) {
  for (const phase of ["computing", "emitting", "receiving"]) if (now.phases[phase]) return phase;
  return "done";
}

function card(s) {
  const badge = el("span");
  const body = el("div");
  const root = el("li", { class: "stage" },
    el("div", { class: "head" }, el("h3", {}, s.table ? "Table " + s.table : "Stage " + s.stage), badge),
    el("ul", {}, s.operators.map((o) => el("li", { title: o }, o))),
    s.from && el("p", { class: "from hidden" }, "from " + s.from.map((f) => "stage " + f).join(", ")),
    s.answers && el("p", {}, "answers " + s.answers.join(", ")),
    body);
  return {
    root,
    show(now, read, rate, job) {
      if (!now) {
        if (s.table) put(badge, !read && job.status.uploading ? el("span", { class: "state read" }, job.open ? "open" : "uploading") : state("done"));
        else put(badge, el("span", { class: "state read" }, "not heard of"));
        put(body, read && el("p", {}, plural(read.rows, "row")));
        return;
      }
      const phase = phaseOf(now);
      root.className = "stage " + phase;
      put(badge, state(phase));
      put(body,
        el("p", {}, [`${plural(now.rows, "row")} in`, rate > 0 && phase !== "done" && `${count(rate)}/s`].filter(Boolean).join(", ")),
        now.todo > 0 && el("p", {}, `${count(now.done ?? 0)} computed, ${count((now.done ?? 0) / Math.max(now.took / 1e9, 0.001))}/s`),
        now.todo > 0 && el("progress", { max: now.todo, value: now.done ?? 0, "aria-label": "rows computed" }),
        now.spilled > 0 && el("p", {}, `${bytes(now.spilled)} spilled`),
        now.waited > 0 && el("p", { class: "from" }, `waited ${time(now.waited)} at most`));
    },
  };
}
