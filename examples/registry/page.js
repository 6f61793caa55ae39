// Search and read tools. Everything from the registry is text, never markup.
"use strict";

const at = (id) => document.getElementById(id);
const page = 20;
let shown = 0;
let latest = 0;

async function ask(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error?.message ?? `HTTP ${response.status}`);
  return body;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function search(more) {
  const turn = ++latest;
  const q = at("q").value.trim();
  if (!more) shown = 0;
  const query = new URLSearchParams({ q, limit: page, offset: shown });
  const path = q ? `/v1/tools/search?${query}` : `/v1/tools?${query}`;
  try {
    const { results, total } = await ask(path);
    if (turn !== latest) return;
    const items = results.map((tool) => {
      const item = document.createElement("li");
      const link = element("a", tool.name);
      link.href = `#${encodeURIComponent(tool.id)}`;
      item.append(link, ` ${tool.version}`, element("p", tool.summary ?? ""));
      return item;
    });
    if (more) at("results").append(...items);
    else at("results").replaceChildren(...items);
    shown += results.length;
    at("count").textContent = total === 1 ? "1 tool" : `${total} tools`;
    at("more").hidden = shown >= total || results.length === 0;
  } catch (error) {
    at("count").textContent = error.message;
  }
}

async function read() {
  const id = decodeURIComponent(location.hash.slice(1));
  const tool = at("tool");
  tool.hidden = !id;
  if (!id) return;
  try {
    const manifest = await ask(`/v1/tools/${encodeURIComponent(id)}`);
    tool.querySelector("h2").textContent = `${manifest.name} ${manifest.version}`;
    at("about").textContent = manifest.description ?? "";
    const facts = {
      Provider: manifest.provider,
      Tags: manifest.tags?.join(", "),
      "Needs approval": manifest.requiresApproval === false ? "no" : "yes",
      Secrets: manifest.requiredSecrets?.join(", "),
      Digest: manifest.sha256,
    };
    const said = Object.entries(facts).filter(([, value]) => value);
    const lines = said.flatMap(([name, value]) => [element("dt", name), element("dd", value)]);
    at("facts").replaceChildren(...lines);
    at("schema").textContent = manifest.schema ? JSON.stringify(manifest.schema, null, 2) : "";
    at("schema").hidden = !manifest.schema;
    tool.scrollIntoView({ block: "nearest" });
  } catch (error) {
    tool.querySelector("h2").textContent = error.message;
  }
}

at("form").addEventListener("submit", (event) => event.preventDefault());
at("q").addEventListener("input", () => search(false));
at("more").addEventListener("click", () => search(true));
addEventListener("hashchange", read);
search(false);
read();
