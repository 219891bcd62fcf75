// What the page asks of the gateway that has served it, with the caller's token.

const key = "analyzer-token";

// token is kept for as long as the tab is open, and by nobody else.
export const token = {
  get: () => sessionStorage.getItem(key) ?? "",
  set: (text) => sessionStorage.setItem(key, text),
  forget: () => sessionStorage.removeItem(key),
};

// Refused is what the gateway says in place of what was asked for.
export class Refused extends Error {
  constructor({ code, error, next }) {
    super(error);
    this.code = code ?? "";
    this.next = next ?? "";
  }
}

export async function ask(path, options = {}) {
  const headers = token.get() ? { Authorization: "Bearer " + token.get() } : {};
  const response = await fetch(path, { ...options, headers, cache: "no-store" });
  if (response.ok) return response;
  let said = {};
  try {
    said = await response.json();
  } catch {
    said = { error: `${response.status} ${response.statusText}`, next: "Try again." };
  }
  throw new Refused(said);
}

// events calls on[name] with what comes, until there is no more. An EventSource would
// not show the token.
async function events(path, on, signal) {
  const response = await ask(path, { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  on.open?.();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const name = /^event: (.*)$/m.exec(part)?.[1];
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (name && data) on[name]?.(JSON.parse(data));
    }
  }
}

const pauses = [300, 1000, 2000, 5000];

// watch calls on[name] with what comes until the signal ends it, and connects again
// whenever the line breaks: on.lost is told then. What is refused for good ends it.
export async function watch(path, on, signal) {
  let tries = 0;
  let over = false;
  const all = { ...on, open: () => { tries = 0; on.open?.(); }, gone: (f) => { over = true; on.gone?.(f); } };
  while (!signal.aborted && !over) {
    try {
      await events(path, all, signal);
    } catch (e) {
      if (signal.aborted) return;
      if (e instanceof Refused && !["TROUBLE", "BUSY", ""].includes(e.code)) return on.refused(e);
      on.lost?.(e);
    }
    if (over || signal.aborted) return;
    await new Promise((go) => setTimeout(go, pauses[Math.min(tries++, pauses.length - 1)]));
  }
}

// numbers that a browser cannot hold exactly stay the text they came as.
class Exact {
  constructor(value, text) { this.value = value; this.text = text; }
  valueOf() { return this.value; }
  toString() { return this.text; }
}

export function parseExactly(text) {
  return JSON.parse(text, (_, value, about) =>
    typeof value === "number" && about?.source && about.source !== String(value) ? new Exact(value, about.source) : value);
}
