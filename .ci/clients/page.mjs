// The page, in a real browser: a person searches a tool, reads it, and tries it.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const [browser, url, token] = process.argv.slice(2);
const started = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
const page = await started.newPage();
const wrong = [];
page.on("pageerror", (error) => wrong.push(String(error)));
page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));

await page.goto(`${url}/#${token}`);
await page.getByRole("searchbox").fill("greet");
await page.getByRole("button", { name: "greet" }).click();
await page.getByLabel(/arguments/i).fill('{"name": "Ada <b>Lovelace</b>"}');
await page.getByRole("button", { name: /call|try/i }).click();
await page.getByText("hello Ada <b>Lovelace</b>").waitFor();

// The text of a manifest is text.
await page.getByRole("searchbox").fill("bottle");
await page.getByText("Empties a bottle. <b>For ever.</b>").first().waitFor();
assert.equal(await page.locator("b", { hasText: "For ever." }).count(), 0);

// The token is in no address that another would see, and not asked for again.
const seen = await page.evaluate(() => [document.referrer, location.search, location.pathname]);
assert.ok(!seen.join(" ").includes(token));
const policy = (await page.request.get(url)).headers();
assert.equal(policy["referrer-policy"], "no-referrer");
assert.match(policy["content-security-policy"], /default-src 'none'/);
assert.deepEqual(wrong, []);
await started.close();
console.log("the page: searched, read, tried, in a browser");
