import { token, watch } from "./api.js";
import { cluster } from "./cluster.js";
import { el, news, trouble } from "./dom.js";
import { job } from "./job.js";
import { jobs } from "./jobs.js";

const main = document.getElementById("main");
const line = document.getElementById("line");
const forget = document.getElementById("forget");
let leaving = new AbortController();

// go shows the view that the address names.
function go() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const [, name, id] = location.hash.split("/");
  const view = name === "job" && id ? job(id, signal) : name === "cluster" ? cluster() : jobs();
  for (const a of document.querySelectorAll("nav a")) {
    const here = a.hash === (name === "cluster" ? "#/cluster" : "#/");
    a.toggleAttribute("aria-current", here);
    if (here) a.setAttribute("aria-current", "page");
  }
  forget.hidden = !token.get();
  main.replaceChildren(view.root);
  document.title = "analyzer: " + view.title;
  say("", "connecting …");
  watch(view.path, {
    ...view.on,
    open: () => say("live", "live"),
    lost: (e) => say("lost", e.next ? e.message : "the gateway does not answer; trying again"),
    trouble: (f) => say("lost", f.error),
    gone: (f) => { say("", "ended"); view.on.gone?.(f); },
    refused: (e) => {
      say("lost", "refused");
      if (e.code === "NO_TOKEN") login(token.get() ? e : undefined);
      else main.replaceChildren(trouble(e.message, e.next), el("p", {}, el("a", { href: "#/" }, "All jobs")));
    },
    ...Object.fromEntries(Object.entries(view.on).filter(([k]) => k !== "gone").map(([k, f]) =>
      [k, (v) => { say("live", "live"); f(v); }])),
  }, signal);
}

// say shows how the line to the gateway is; that it is lost, or back, is news.
function say(kind, text) {
  const lost = line.classList.contains("lost");
  line.className = "line " + kind;
  if (line.textContent === text) return;
  line.textContent = text;
  if (kind === "lost" || lost && kind === "live") news(text);
}

// login asks for a token; refused is why the one there is will not do.
function login(refused) {
  say("", "");
  token.forget();
  forget.hidden = true;
  const input = el("input", { id: "token", type: "password", autocomplete: "off", required: true, spellcheck: "false", "aria-describedby": "about" });
  main.replaceChildren(el("form", {
    class: "token box",
    onsubmit: (e) => {
      e.preventDefault();
      token.set(input.value.trim());
      go();
    },
  },
  el("h1", {}, "Your token"),
  refused && trouble(refused.message, "show one that stands in the gateway's token file; it may have been taken out."),
  el("label", { for: "token" }, "Token"), input,
  el("p", { id: "about", class: "muted" }, "It shows whose jobs are yours. It is kept until this tab is closed, and shown to this gateway alone."),
  el("div", {}, el("button", { class: "strong", type: "submit" }, "Show my jobs"))));
  document.title = "analyzer: token";
  news(refused ? refused.message : "A token is needed.");
  input.focus();
}

forget.addEventListener("click", () => {
  token.forget();
  leaving.abort();
  login();
});
addEventListener("hashchange", () => {
  if (location.hash === "#main") return;
  go();
  main.focus();
});
go();
