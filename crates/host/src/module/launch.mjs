// Calls a tool of a module, and writes what came of it on a line of its own.
// What it calls with is on standard input.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const call = JSON.parse(readFileSync(0, 'utf8'));
const write = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);
const end = (said) => write(`\n${call.mark}${said}\n`, () => exit(0));
try {
  const module = await import(pathToFileURL(call.module));
  const tool = call.exports.map((name) => module[name]).find((one) => one !== undefined);
  if (typeof tool?.execute !== 'function') {
    throw new TypeError(`none of ${call.exports.join(', ')} is a tool with execute()`);
  }
  const value = await tool.execute(call.arguments, { toolName: call.tool, env: call.env });
  end(JSON.stringify({ value: value === undefined ? null : value }));
} catch (error) {
  end(JSON.stringify({ error: String(error?.message ?? error) }));
}
