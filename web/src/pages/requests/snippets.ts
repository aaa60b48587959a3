/** Code that logs the first request, in several languages. */

/** The placeholder until a key exists. */
const noKey = 'YOUR_KEY'

export type Language = 'curl' | 'python' | 'javascript'

export function firstRequest(language: Language, base: string, key: string | null): string {
  return snippets[language](base, key ?? noKey)
}

const snippets: Record<Language, (base: string, key: string) => string> = {
  curl: (base, key) => `curl ${base}/log-request \\
  -H 'X-API-KEY: ${key}' -H 'Content-Type: application/json' \\
  -d '{
    "provider": "openai", "model": "gpt-4o",
    "input": {"type": "chat", "messages": [{"role": "user", "content": [{"type": "text", "text": "Where is my order?"}]}]},
    "output": {"type": "chat", "messages": [{"role": "assistant", "content": [{"type": "text", "text": "It arrives tomorrow."}]}]},
    "request_start_time": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'", "request_end_time": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'",
    "input_tokens": 12, "output_tokens": 6, "tags": ["first"], "metadata": {"env": "dev"}
  }'`,
  python: (base, key) => `# pip install promptlayer
import time
from promptlayer import PromptLayer

client = PromptLayer(api_key="${key}", base_url="${base}")
start = time.time()
# … call your model here …
client.log_request(
    provider="openai",
    model="gpt-4o",
    input={"type": "chat", "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Where is my order?"}]}]},
    output={"type": "chat", "messages": [
        {"role": "assistant", "content": [{"type": "text", "text": "It arrives tomorrow."}]}]},
    request_start_time=start,
    request_end_time=time.time(),
    tags=["first"],
    metadata={"env": "dev"},
)`,
  javascript: (base, key) => `// npm install promptlayer
import { PromptLayer } from "promptlayer";

const client = new PromptLayer({ apiKey: "${key}", baseURL: "${base}" });
const start = new Date().toISOString();
// … call your model here …
await client.logRequest({
  provider: "openai",
  model: "gpt-4o",
  input: { type: "chat", messages: [
    { role: "user", content: [{ type: "text", text: "Where is my order?" }] }] },
  output: { type: "chat", messages: [
    { role: "assistant", content: [{ type: "text", text: "It arrives tomorrow." }] }] },
  request_start_time: start,
  request_end_time: new Date().toISOString(),
  tags: ["first"],
  metadata: { env: "dev" },
});`,
}
