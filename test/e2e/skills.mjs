// Publishes, pulls and updates skill collections with the official client and
// prints the results as one line of JSON. The arguments are the URL of the
// server, the key and the path of a zip archive.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inflateRawSync } from "node:zlib";

const { PromptLayer } = createRequire(import.meta.url)("promptlayer");

const [baseURL, apiKey, archive] = process.argv.slice(2);
const client = new PromptLayer({ baseURL, apiKey });
const failureOf = (work) => work().then((result) => result, (error) => ({ failure: error.message ?? String(error) }));

// unzip reads an archive sequentially, like simple readers do: it only uses the
// local headers of entries.
const unzip = (buffer) => {
  const view = new DataView(buffer);
  const files = {};
  for (let at = 0; view.getUint32(at, true) === 0x04034b50;) {
    const [flags, method] = [view.getUint16(at + 6, true), view.getUint16(at + 8, true)];
    const [size, name, extra] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    if (flags & 8) throw new Error("the sizes are not in the local header");
    const start = at + 30 + name + extra;
    const content = new Uint8Array(buffer, start, size);
    const path = new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(buffer, at + 30, name));
    files[path] = Buffer.from(method === 8 ? inflateRawSync(content) : content).toString("base64");
    at = start + size;
  }
  return files;
};

const published = await client.skills.publish({
  name: "support", provider: "claude_code", commitMessage: "first",
  files: [{ path: "triage/SKILL.md", content: "# Triage" }, { path: "CLAUDE.md", content: "Be kind" }],
});
const zipped = await client.skills.publish({ name: "support", provider: "openai", zipFile: readFileSync(archive) });
const pulled = await client.skills.pull("support");
const pushed = await client.skills.update("support", {
  fileUpdates: Object.entries(pulled.files).map(([path, content]) => ({ path, content: content + "!" })),
  moves: [{ from: "triage", to: "sorting" }], commitMessage: "second", releaseLabel: "prod",
});
const renamed = await client.skills.update(published.skill_collection.id, { name: "help", deletes: ["CLAUDE.md"] });
const labelled = await client.skills.update("help", { releaseLabel: "prod" });

const results = {
  published, zipped, pulled, pushed, renamed, labelled,
  first: await client.skills.pull("/help", { version: 1, format: "json" }),
  released: await client.skills.pull("help", { label: "prod" }),
  archive: unzip(await client.skills.pull("support-2", { format: "zip" })),
  large: unzip(await client.skills.pull(zipped.skill_collection.id, { format: "zip", version: 1 })),
  absent: await failureOf(() => client.skills.pull("nothing")),
  both: await failureOf(() => client.skills.pull("help", { label: "prod", version: 1 })),
  refused: await failureOf(() => client.skills.update("help", { fileUpdates: [{ path: "../x", content: "" }] })),
  broken: await failureOf(() => client.skills.publish({ name: "broken", provider: "openai", zipFile: new Uint8Array([1, 2, 3]) })),
};
console.log(JSON.stringify(results));
