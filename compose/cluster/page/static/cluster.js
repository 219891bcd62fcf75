import { bytes, count, el, facts, grid, put, since, state, trouble } from "./dom.js";

// cluster shows which nodes there are, and what they do.
export function cluster() {
  const body = el("div");
  const root = el("section", { "aria-labelledby": "cluster" }, el("h1", { id: "cluster" }, "Cluster"), body);
  return { root, title: "cluster", path: "/v1/events", on: { nodes: (r) => put(body, ...shown(r)) } };
}

function shown(r) {
  const nodes = r.nodes ?? [];
  const load = r.load ?? {};
  const out = [facts(
    r.by && ["Leader", r.leader || "none"],
    r.bottleneck?.why && ["Bottleneck", `${r.bottleneck.where || "none"}: ${r.bottleneck.why}`],
  )];
  for (const n of nodes) {
    if (n.state !== "running" && n.state !== "starting") {
      out.push(trouble(`Node ${n.name} is ${n.state}${n.why ? ": " + n.why : ""}`, "jobs go on when it is back; its log says more."));
    }
  }
  const columns = [
    { name: "Node" }, { name: "State" }, { name: "For", number: true }, { name: "Restarts", number: true },
    { name: "CPU", number: true }, { name: "Memory", number: true }, { name: "Rows/s", number: true }, { name: "Messages waiting", number: true },
  ];
  const rows = nodes.map((n) => {
    const l = load[n.name];
    return [
      n.name + (n.leads ? ", leads" : ""), state(n.state), n.since ? since(n.since) : "–", r.by ? count(n.restarts) : "–",
      l ? `${l.cpu.toFixed(1)} of ${l.cpus.toFixed(0)}` : "–", l ? bytes(l.memory_bytes) : "–",
      l?.rows_per_second ? count(l.rows_per_second) : "–", l?.waiting_messages ? count(l.waiting_messages) : "–",
    ];
  });
  out.push(grid(`${nodes.length} nodes`, columns, rows));
  if (!r.by) {
    out.push(el("p", { class: "muted" }, "This gateway gossips with nobody, so it knows which workers answer, and no more. Next: start processes with ",
      el("code", {}, "--join"), ", or ", el("code", {}, "analyzer cluster up --supervisors 3"), "."));
  }
  for (const n of nodes) {
    if (n.why && n.state === "running") out.push(el("p", { class: "muted" }, `Last trouble of ${n.name}: ${n.why}`));
    if (n.log) out.push(el("details", {}, el("summary", {}, "The end of the log of " + n.name), el("pre", {}, n.log)));
  }
  return out;
}
