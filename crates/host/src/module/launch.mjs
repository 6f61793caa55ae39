// Calls a tool of a module, or describes the module's exports, and writes the result on a line of
// its own. Reads the task from standard input.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const call = JSON.parse(readFileSync(0, 'utf8'));
const write = process.stdout.write.bind(process.stdout);
const exit = process.exit.bind(process);
const end = (said) => write(`\n${call.mark}${said}\n`, () => exit(0));

// Returns the properties that a host checks before it calls a tool.
const described = async (name, tool) => {
  const text = (value) => (typeof value === 'string' ? value : null);
  const asks = typeof tool?.getApprovalMessage === 'function';
  let message = null;
  try {
    message = asks ? text(await tool.getApprovalMessage(call.arguments)) : null;
  } catch {
    // It has no message for these arguments.
  }
  return {
    export: name,
    name: text(tool?.name),
    description: text(tool?.description),
    execute: typeof tool?.execute === 'function',
    secrets: Array.isArray(tool?.requiredSecrets) ? tool.requiredSecrets.filter(text) : [],
    approval: typeof tool?.requiresApproval === 'boolean' ? tool.requiresApproval : null,
    asks,
    message,
  };
};

try {
  const module = await import(pathToFileURL(call.module));
  const exported = call.exports.filter((name) => module[name] !== undefined);
  if (call.inspect) {
    const all = await Promise.all(exported.map((name) => described(name, module[name])));
    end(JSON.stringify({ value: all }));
  } else {
    const tool = module[exported[0]];
    if (typeof tool?.execute !== 'function') {
      throw new TypeError(`none of ${call.exports.join(', ')} is a tool with execute()`);
    }
    // A tool reads its secrets by keys that begin with the name that the module declares.
    const toolName = typeof tool.name === 'string' ? tool.name : call.tool;
    const secrets = Object.entries(call.env);
    const env = Object.fromEntries(secrets.map(([name, value]) => [`${toolName}-${name}`, value]));
    const value = await tool.execute(call.arguments, { toolName, env });
    end(JSON.stringify({ value: value === undefined ? null : value }));
  }
} catch (error) {
  end(JSON.stringify({ error: String(error?.message ?? error) }));
}
