// The official TypeScript SDK as a client: over stdio, and over HTTP.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [program, tools, url, token] = process.argv.slice(2);

async function talk(transport) {
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(transport);
  const listed = (await client.listTools()).tools;
  assert.ok(listed.some((tool) => tool.name === "greet"), JSON.stringify(listed));
  const emptying = listed.find((tool) => tool.name.includes("empty"));
  assert.equal(emptying.annotations.destructiveHint, true);

  const answer = await client.callTool({ name: "greet", arguments: { name: "Ada; $(id)" } });
  assert.ok(!answer.isError, JSON.stringify(answer));
  assert.equal(answer.content[0].text.trim(), "hello Ada; $(id)");

  const wrong = await client.callTool({ name: "greet", arguments: { nam: "Ada" } });
  assert.ok(wrong.isError && wrong.content[0].text.includes("name"), JSON.stringify(wrong));

  const refused = await client.callTool({ name: emptying.name, arguments: { bottle: "red" } });
  assert.ok(refused.isError && refused.content[0].text.includes("approv"));
  await client.close();
}

await talk(new StdioClientTransport({ command: program, args: ["mcp", tools], env: process.env }));
const headers = { Authorization: `Bearer ${token}` };
await talk(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
console.log("the TypeScript SDK: listed, called and refused, over stdio and HTTP");
