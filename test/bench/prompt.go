package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// promptName is the template that is fetched.
const promptName = "bench/answer a customer"

// measurePrompts fetches a template like applications do before each model
// call, and compares it with the plain server with the same bytes in memory.
func (b *bench) measurePrompts() error {
	if err := b.publishPrompts(); err != nil {
		return err
	}
	path := "/prompt-templates/" + strings.ReplaceAll(promptName, " ", "%20")
	variables, err := json.Marshal(map[string]any{"label": "prod", "input_variables": map[string]string{
		"company": "Acme Storage", "customer": "Jo", "question": "Where is my parcel?", "language": "English", "tone": "warm",
	}})
	if err != nil {
		return err
	}
	if err := b.comparePrompt("prompt, fetched raw", "raw", call{http.MethodGet, path + "?label=prod", nil, http.StatusOK}, 0.8); err != nil {
		return err
	}
	if err := b.comparePrompt("prompt, rendered", "rendered", call{http.MethodPost, path, variables, http.StatusOK}, 0.4); err != nil {
		return err
	}
	return b.measurePublishing()
}

// comparePrompt measures a call, and the same response from the plain server.
func (b *bench) comparePrompt(name, item string, ours call, aim float64) error {
	from, err := b.server.connect()
	if err != nil {
		return err
	}
	defer from.close()
	answer, err := from.expect(ours.status, ours.method, ours.path, ours.body)
	if err != nil {
		return err
	}
	to, err := dial(b.http.address, apiKey)
	if err != nil {
		return err
	}
	defer to.close()
	if _, err := to.expect(http.StatusOK, "PUT", "/item/"+item, answer); err != nil {
		return err
	}
	theirs := ours
	theirs.path = "/item/" + item
	anchor, anchorSlow, err := b.hammer(b.http.address, []call{theirs})
	if err != nil {
		return err
	}
	rate, slow, err := b.hammer(b.server.address, []call{ours})
	if err != nil {
		return err
	}
	b.report.atLeast(name, rate, anchor, aim)
	b.report.atMost(name+", p99", milliseconds(slow), milliseconds(anchorSlow), 3)
	return nil
}

// publishPrompts publishes a template of about 2 KB with five variables and a
// nested snippet.
func (b *bench) publishPrompts() error {
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	rules := strings.Repeat("Answer from the documents that you were given, and say so when they do not tell. ", 18)
	for _, body := range []string{
		promptBody("bench manners", "completion", `"content":[{"type":"text","text":"Be kind and brief."}]`),
		promptBody("bench rules", "completion", `"content":[{"type":"text","text":"`+rules+`@@@bench manners@@@"}]`),
		promptBody(promptName, "chat", `"messages":[`+
			`{"role":"system","content":[{"type":"text","text":"You help customers of {company} in {language}, in a {tone} voice. @@@bench rules@@@"}]},`+
			`{"role":"user","content":[{"type":"text","text":"My name is {customer}. {question}"}]}]`),
	} {
		if _, err := c.expect(http.StatusCreated, "POST", "/rest/prompt-templates", []byte(body)); err != nil {
			return err
		}
	}
	return nil
}

func promptBody(name, kind, content string) string {
	return fmt.Sprintf(`{"prompt_template":{"prompt_name":%q},"prompt_version":{"prompt_template":{"type":%q,%s},`+
		`"metadata":{"model":{"provider":"openai","name":"gpt-4o","parameters":{"temperature":0.2}}}},"release_labels":["prod"]}`,
		name, kind, content)
}

// measurePublishing publishes versions of one template per client.
func (b *bench) measurePublishing() error {
	calls := make([]call, b.clients)
	for i := range calls {
		name := fmt.Sprintf("bench publish %d", i)
		body := promptBody(name, "chat", `"messages":[{"role":"user","content":[{"type":"text","text":"Hello {name}"}]}]`)
		calls[i] = call{http.MethodPost, "/rest/prompt-templates", []byte(body), http.StatusCreated}
	}
	rate, slow, err := b.hammer(b.server.address, calls)
	if err != nil {
		return err
	}
	b.report.above("prompt, published", rate, 300)
	b.report.info("prompt, published, p99", milliseconds(slow))
	return nil
}
