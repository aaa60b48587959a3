package convert

import "github.com/promptuary/promptuary/internal/jsontree"

// chatKeys are the members of a chat message that a blueprint has a place for.
var chatKeys = []string{
	"role", "content", "name", "tool_calls", "function_call", "tool_call_id", "annotations", "refusal",
	"reasoning", "reasoning_content", "reasoning_details", "images", "audio",
}

// chatInput reads the arguments of OpenAI's chat completions and of the many
// interfaces modelled on them.
func chatInput(r *request) (template, bool) {
	list := r.peek("messages")
	if !list.Given() {
		return template{}, false
	}
	t := template{messages: chatMessages(list)}
	readTools(r, &t)
	return t, true
}

// readTools lifts what the call says about tools into the template.
func readTools(r *request, t *template) {
	t.tools = toolList(r.liftIf("tools", jsontree.Array))
	if functions := r.liftIf("functions", jsontree.Array); functions.Given() {
		t.functions = functions.Raw()
	}
	if call := r.liftIf("function_call", jsontree.String, jsontree.Object); call.Given() {
		t.functionCall = call.Raw()
	}
	t.toolChoice = toolChoice(r.liftIf("tool_choice", jsontree.String, jsontree.Object))
}

func chatMessages(list jsontree.Value) []message {
	if list.Kind() != jsontree.Array {
		if m, ok := chatMessage(list, roleUser); ok {
			return []message{m}
		}
		return nil
	}
	var out []message
	for _, v := range list.Elems() {
		if m, ok := chatMessage(v, roleUser); ok {
			out = append(out, m)
		}
	}
	return out
}

// chatMessage reads one chat message, of the role otherwise if it names none.
// It reports false for what is no message.
func chatMessage(v jsontree.Value, otherwise string) (message, bool) {
	if v.Kind() == jsontree.String {
		return say(otherwise, plainText(v.Raw())), true
	}
	word, content := v.Get("role"), v.Get("content")
	calls, call := field(v, "tool_calls"), field(v, "function_call")
	if !word.Given() && !content.Given() && !calls.Given() && !call.Given() {
		return message{}, false
	}
	m := newMessage(word, otherwise)
	m.source, m.known = v, chatKeys
	m.name = stringRaw(v.Get("name"))
	for c := range givenElems(calls) {
		m.calls = append(m.calls, chatToolCall(c))
	}
	if call.Kind() == jsontree.Object {
		m.functionCall = call.Raw()
	}
	if id := field(v, "tool_call_id"); id.Given() {
		m.callID = asString(id)
	}
	chatReasoning(&m, v)
	chatContent(&m, content, v.Get("annotations"))
	if refusal := v.Get("refusal"); refusal.Str() != "" {
		m.add(plainText(refusal.Raw()))
	}
	chatMedia(&m, v)
	return m, true
}

// chatContent adds a message's content. Annotations that stand beside the
// content belong to its text.
func chatContent(m *message, content, annotations jsontree.Value) {
	switch content.Kind() {
	case jsontree.Absent, jsontree.Null:
	case jsontree.String:
		if content.Str() == "" && !m.empty() {
			return // streams write no text as an empty one
		}
		m.add(annotated(content.Raw(), annotations))
	case jsontree.Array:
		for part := range givenElems(content) {
			m.add(chatPart(part))
		}
	default:
		m.add(chatPart(content))
	}
}

// annotated returns a text block with the annotations of a chat completion,
// which nest their fields one level deeper than a blueprint does.
func annotated(text []byte, annotations jsontree.Value) []byte {
	if annotations.Kind() != jsontree.Array || annotations.Len() == 0 {
		return plainText(text)
	}
	var list [][]byte
	for _, a := range annotations.Elems() {
		inner := field(a, "url_citation")
		if inner.Kind() != jsontree.Object {
			list = append(list, a.Raw())
			continue
		}
		list = append(list, newObject().str("type", "url_citation").rest(inner).end())
	}
	return newObject().
		str("type", "text").
		raw("text", text).
		raw("id", nil).
		raw("annotations", array(list)).
		end()
}

// chatReasoning adds the reasoning that some providers put beside the content.
// OpenRouter sends it twice; the details are the richer form.
func chatReasoning(m *message, v jsontree.Value) {
	added := false
	for _, detail := range field(v, "reasoning_details").Elems() {
		if text := firstGiven(detail, "text", "summary"); text.Kind() == jsontree.String {
			m.add(thinkingBlock(text.Raw(), stringRaw(detail.Get("signature")), stringRaw(detail.Get("id")),
				detail, "text", "summary"))
			added = true
		}
	}
	if text := firstGiven(v, "reasoning_content", "reasoning"); !added && text.Str() != "" {
		m.add(thinkingBlock(text.Raw(), nil, nil, jsontree.Value{}))
	}
}

// chatMedia adds the images and the speech that a model answered with.
func chatMedia(m *message, v jsontree.Value) {
	for _, image := range v.Get("images").Elems() {
		url := field(image, "image_url")
		if url.Kind() == jsontree.Object {
			url = url.Get("url")
		}
		if url.Str() != "" {
			mime := dataMIME(url.Str())
			if mime == "" {
				mime = "image/png"
			}
			m.add(outputMedia(url.Str(), mime, image, "image_url", "index"))
		}
	}
	audio := v.Get("audio")
	if data := audio.Get("data").Str(); data != "" {
		mime := audioMIME(audio.Get("format").Str())
		m.add(outputMedia(dataURL(mime, data), mime, audio, "data", "format"))
	}
}

// chatToolCall returns a tool call as it was written if it has the shape of a
// blueprint's, else the nearest that has.
func chatToolCall(v jsontree.Value) []byte {
	function := v.Get("function")
	whole := v.Get("type").Kind() == jsontree.String && v.Get("id").Kind() == jsontree.String &&
		function.Get("name").Kind() == jsontree.String && function.Get("arguments").Kind() == jsontree.String
	if whole {
		return v.Raw()
	}
	carry := func(o *object) { o.rest(v, "custom", "name", "input", "arguments") }
	if custom := v.Get("custom"); custom.Given() {
		return toolCall(v.Get("id"), custom.Get("name"), custom.Get("input"), carry)
	}
	if function.Kind() != jsontree.Object {
		function = v
	}
	return toolCall(v.Get("id"), function.Get("name"), firstGiven(function, "arguments", "input"), carry)
}

// chatOutput reads the first choice of a chat completion.
func chatOutput(c Call) (message, bool) {
	choice := first(c.Response.Get("choices"))
	for _, v := range []jsontree.Value{choice.Get("message"), choice.Get("delta")} {
		if m, ok := chatMessage(v, roleAssistant); ok {
			return m, true
		}
	}
	// Streams that the Python library put together have the message's members
	// in the choice itself.
	if m, ok := chatMessage(choice, roleAssistant); ok {
		m.source = jsontree.Value{}
		return m, true
	}
	return message{}, false
}

// completionInput reads the arguments of OpenAI's and Anthropic's text
// completions.
func completionInput(r *request) (template, bool) {
	prompt := r.peek("prompt")
	if !prompt.Given() {
		return template{}, false
	}
	return template{completion: true, content: promptBlocks(prompt)}, true
}

// promptBlocks returns one text block for each text of a prompt. A prompt
// given as token numbers is kept as such.
func promptBlocks(prompt jsontree.Value) [][]byte {
	if prompt.Kind() != jsontree.Array || first(prompt).Kind() == jsontree.Number {
		return [][]byte{plainText(asString(prompt))}
	}
	var blocks [][]byte
	for part := range givenElems(prompt) {
		blocks = append(blocks, chatPart(part))
	}
	return blocks
}

// completionOutput reads the first choice of a text completion.
func completionOutput(c Call) (message, bool) {
	for _, text := range []jsontree.Value{first(c.Response.Get("choices")).Get("text"), c.Response.Get("completion")} {
		if text.Kind() == jsontree.String {
			return say(roleAssistant, plainText(text.Raw())), true
		}
	}
	return message{}, false
}
