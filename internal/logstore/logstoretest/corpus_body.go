package logstoretest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object under construction.
type object = map[string]any

// words are what the texts of the corpus are made of: neighbours that free text
// must tell apart or hold for the same, several scripts, numbers, apostrophes.
var words = strings.Fields(`refund refunds refunded refunding order orders border hippopotamus hippopotamuses invoice
	invoices password passwords login logging weather whether cancel cancelled canceled don't dont it’s its O'Brien café
	cafe naïve naive Straße strasse ΣΊΣΥΦΟΣ σίσυφος İstanbul istanbul 日本語 テスト 请问退款政策是什么 退款 退货政策 使用GPT4模型 コーヒーを飲む 환불을원해요 กินข้าวที่นี่ 42 1234 1235 gpt4 v2 x9 a an of to snake_case
	kebab-case foo.bar C++ {} [] 100% a\b étude ﬁne ½ x² THE The the refnud Привет привет`)

// phrases carry the intents.
var phrases = []string{
	"Thank you, great!", "This is terrible!!", "What is it?", "I'm sorry, I can't do that.", "Perhaps, I'm not sure.", "how so",
}

var (
	providers = []string{"openai", "anthropic", "google", "OpenAI"}
	models    = []string{"gpt-4o", "gpt-4o-mini", "claude-3", "gemini-1.5", "GPT-4o", "o1"}
	tags      = []string{"prod", "production", "Prod", "staging", "beta test", "ünïcode"}
	tools     = []string{"search", "search_web", "lookup", "run"}
	outcomes  = [][3]string{
		{"SUCCESS"}, {"SUCCESS"}, {"SUCCESS", "", "noted"}, {"WARNING", "PROVIDER_RATE_LIMIT", "slow down"},
		{"ERROR", "PROVIDER_TIMEOUT", "late"}, {"ERROR", "UNKNOWN_ERROR"}, {"WARNING"},
	}
)

// sentence is a few words.
func (m *maker) sentence(n int) string {
	chosen := make([]string, n)
	for i := range chosen {
		chosen[i] = pick(m, words)
	}
	return strings.Join(chosen, pick(m, []string{" ", " ", ", ", "\n", "-"}))
}

// body is what a client sends.
func (m *maker) body(i int) object {
	start, end := m.span(i)
	outcome := pick(m, outcomes)
	const layout = "2006-01-02T15:04:05.000000Z07:00"
	body := object{
		"provider": pick(m, providers), "model": pick(m, models), "input": m.input(), "output": m.output(),
		"request_start_time": start.Format(layout), "request_end_time": end.Format(layout),
		"parameters":   object{"temperature": 0.5, "seed": i},
		"input_tokens": m.rng.IntN(20) * 50, "output_tokens": m.rng.IntN(1000), "price": float64(m.rng.IntN(64)) / 64,
		"status": outcome[0], "error_message": outcome[2], "metadata": m.metadata(i), "tags": m.tags(),
		"api_type": pick(m, []string{"", "responses"}), "function_name": pick(m, []string{"", "openai.chat"}),
		"score": pick(m, []int{0, 0, 60, 100}),
	}
	if outcome[1] != "" {
		body["error_type"] = outcome[1]
	}
	if m.chance(20) {
		body["score_name"] = pick(m, []string{"quality", "default"})
	}
	return body
}

func (m *maker) tags() []string {
	var chosen []string
	for range m.rng.IntN(4) {
		chosen = append(chosen, pick(m, tags))
	}
	return chosen
}

// metadata has keys of every shape: nested, listed, of every type, without a
// value, and sometimes more than one value under one key.
func (m *maker) metadata(i int) object {
	if m.chance(15) {
		return nil
	}
	all := object{
		"user_id": fmt.Sprintf("u%d", m.rng.IntN(9)), "env": pick(m, []string{"prod", "Prod", "dev", ""}),
		"n": pick(m, []any{42, "42", 42.5, true, "true", nil}), "unique": fmt.Sprint("only ", i),
		"user": object{"plan": pick(m, []any{"free", "pro", object{}}), "tags": []any{"x", pick(m, tools), object{"id": m.rng.IntN(3)}}},
		"aa":   pick(m, words), "b": pick(m, words), "a long key of its own": "v", "list": []any{},
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if m.chance(30) {
			delete(all, key)
		}
	}
	return all
}

func message(role, text string) object {
	return object{"role": role, "content": []any{object{"type": "text", "text": text}}}
}

func (m *maker) input() object {
	if m.chance(10) {
		return object{"type": "completion", "content": []any{object{"type": "text", "text": m.sentence(6)}}}
	}
	var messages []any
	if m.chance(40) {
		messages = append(messages, message("system", m.sentence(4)))
	}
	for range m.rng.IntN(3) {
		messages = append(messages, message("user", m.sentence(5)), message("assistant", m.sentence(5)))
	}
	if m.chance(15) {
		messages = append(messages, object{"role": "assistant", "tool_calls": m.calls(1)},
			object{"role": "tool", "tool_call_id": "c", "content": message("", "found it")["content"]})
	}
	text := m.sentence(3 + m.rng.IntN(6))
	if m.chance(25) {
		text = pick(m, phrases) + " " + text
	}
	return object{"type": "chat", "messages": append(messages, message("user", text))}
}

func (m *maker) calls(n int) []any {
	var calls []any
	for i := range n {
		name := pick(m, tools)
		arguments := any(fmt.Sprintf(`{"query": %s, "page": %d, "deep": {"flags": [true, null]}}`, quote(m.sentence(2)), m.rng.IntN(3)))
		if m.chance(20) {
			arguments = "not json"
		}
		calls = append(calls, object{"id": fmt.Sprint("c", i), "type": "function", "function": object{"name": name, "arguments": arguments}})
	}
	return calls
}

func (m *maker) output() object {
	answer := message("assistant", m.sentence(4))
	text := func(text string) { answer["content"].([]any)[0].(object)["text"] = text }
	switch m.rng.IntN(14) {
	case 0:
		return object{"type": "chat", "messages": []any{}}
	case 1:
		return object{"type": "completion", "content": answer["content"]}
	case 2, 3, 4:
		text(m.json())
	case 5:
		text("Here it is:\n```json\n" + m.json() + "\n```")
	case 6, 7:
		answer["tool_calls"] = m.calls(1 + m.rng.IntN(3))
	case 8:
		answer["function_call"] = object{"name": pick(m, tools), "arguments": "{}"}
	case 9:
		answer["content"] = append(answer["content"].([]any), object{"type": "thinking", "thinking": m.sentence(5)},
			object{"type": "server_tool_use", "id": "s", "name": "web", "input": object{}})
	case 10:
		text(pick(m, []string{"[1, 2]", "42", "", pick(m, phrases)}))
	}
	return object{"type": "chat", "messages": []any{answer}}
}

func (m *maker) json() string {
	return fmt.Sprintf(`{"answer": %s, "score": %d, "items": [{"id": %d}, {"id": 2}], "ok": true, "none": null, "empty": {}}`,
		quote(m.sentence(2)), m.rng.IntN(5), m.rng.IntN(3))
}
