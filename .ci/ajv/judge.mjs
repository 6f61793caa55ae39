// Reads lines [version, verdict, document], and ends with 1 where Ajv says otherwise.
// node judge.mjs NAME VERSION=SCHEMA…
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";

const [name, ...schemas] = process.argv.slice(2);
const judges = new Map(schemas.map((argument) => {
  const [version, file] = argument.split(/=(.*)/s);
  const schema = JSON.parse(readFileSync(file, "utf8"));
  const Dialect = schema.$schema.includes("2020-12") ? Ajv2020 : Ajv;
  // Formats of texts are remarks, as they are by default in 2020-12.
  return [version, new Dialect({ strict: false, validateFormats: false }).compile(schema)];
}));

const counts = { valid: 0, invalid: 0, disagreements: 0 };
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.startsWith("[")) continue; // what the test runner says
  const [version, ours, text] = JSON.parse(line);
  const theirs = judges.get(version)(JSON.parse(text));
  counts[theirs ? "valid" : "invalid"] += 1;
  if (theirs !== ours) {
    counts.disagreements += 1;
    if (counts.disagreements <= 10) console.log(`ours ${ours}, Ajv ${theirs}: ${text}`);
  }
}
console.log(`${name}: ${counts.valid} valid and ${counts.invalid} invalid, ${counts.disagreements} disagreements`);
process.exit(counts.disagreements > 0 || counts.valid === 0 || counts.invalid === 0 ? 1 : 0);
