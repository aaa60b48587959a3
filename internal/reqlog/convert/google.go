package convert

import "github.com/promptuary/promptuary/internal/jsontree"

// googleInput reads the arguments of Google's generate-content and chat
// interfaces. Instructions and tools stand among the arguments or in the
// configuration, which goes by three names.
func googleInput(r *request) (template, bool) {
	contents, message := r.lift("contents"), r.lift("message")
	history := r.lift("history")
	if !contents.Given() && !message.Given() {
		message = r.firstArg()
	}
	if !contents.Given() && !message.Given() && !history.Given() {
		return template{}, false
	}
	var t template
	places := []jsontree.Value{r.call.Kwargs, r.peek("config"), r.peek("generation_config")}
	for _, place := range places {
		readGoogleConfig(r, place, &t)
	}
	for _, v := range []jsontree.Value{history, contents, message} {
		t.messages = append(t.messages, googleContents(v)...)
	}
	return t, true
}

func readGoogleConfig(r *request, place jsontree.Value, t *template) {
	if system := r.liftFrom(place, "system_instruction"); system.Given() {
		m := say(roleSystem)
		for _, made := range googleContents(system) {
			m.blocks = append(m.blocks, made.blocks...)
		}
		t.messages = append(t.messages, m)
	}
	if tools := field(place, "tools"); tools.Kind() == jsontree.Array {
		t.tools = append(t.tools, toolList(r.liftFrom(place, "tools"))...)
	}
	// It stays a parameter as well: it may hold more than a blueprint shows.
	if choice := googleToolChoice(field(place, "tool_config")); choice != nil {
		t.toolChoice = choice
	}
}

func googleToolChoice(v jsontree.Value) []byte {
	calling := field(v, "function_calling_config")
	names := field(calling, "allowed_function_names")
	switch calling.Get("mode").Str() {
	case "AUTO":
		return quote("auto")
	case "NONE":
		return quote("none")
	case "ANY":
		if names.Len() == 1 {
			return namedTool(first(names))
		}
		return quote("required")
	default:
		return nil
	}
}

// googleContents returns the messages of contents, which are a text, a part,
// a message, or a list with any of them. Parts in a row are one message.
func googleContents(v jsontree.Value) []message {
	if v.Kind() != jsontree.Array {
		return googleContent(v)
	}
	var out []message
	open := false
	for _, element := range v.Elems() {
		made := googleContent(element)
		bare := !element.Get("parts").Given() && len(made) == 1 && made[0].role == roleUser
		if n := len(out); open && bare {
			out[n-1].join(made[0])
			continue
		}
		out = append(out, made...)
		open = bare
	}
	return out
}

func googleContent(v jsontree.Value) []message {
	switch v.Kind() {
	case jsontree.Absent, jsontree.Null:
		return nil
	case jsontree.Object:
	default:
		return []message{say(roleUser, plainText(asString(v)))}
	}
	m := newMessage(v.Get("role"), roleUser)
	switch parts := v.Get("parts"); parts.Kind() {
	case jsontree.Array:
		return fold(m, parts, googlePart)
	case jsontree.Absent:
		// A single part, not a message with parts.
		if result := googlePart(&m, v); result != nil {
			return []message{*result}
		}
	case jsontree.Null:
	default:
		if result := googlePart(&m, parts); result != nil {
			return []message{*result}
		}
	}
	return []message{m}
}

// googlePart adds one part to m, or returns the message it is by itself.
func googlePart(m *message, v jsontree.Value) *message {
	if result := field(v, "function_response"); result.Kind() == jsontree.Object {
		return googleResult(result)
	}
	if call := field(v, "function_call"); call.Kind() == jsontree.Object {
		m.calls = append(m.calls, googleCall(v, call))
		return nil
	}
	m.add(googleBlock(v, false))
	return nil
}

// googleCall returns a function call. Calls without an id are answered by
// name, so the name serves as one.
func googleCall(part, call jsontree.Value) []byte {
	return toolCall(firstGiven(call, "id", "name"), call.Get("name"), call.Get("args"), func(o *object) {
		if signature := field(part, "thought_signature"); signature.Given() {
			o.raw("provider_metadata", newObject().given("thought_signature", signature).end())
		}
		o.rest(call, "id", "name", "args")
	})
}

func googleResult(v jsontree.Value) *message {
	m := message{role: roleTool, shown: roleTool, callID: stringOrEmpty(firstGiven(v, "id", "name"))}
	m.name = stringRaw(v.Get("name"))
	m.source, m.known = v, []string{"id", "name", "response"}
	if response := v.Get("response"); response.Given() {
		m.add(plainText(asString(response)))
	}
	return &m
}

// googleBlock returns the block of a part. What a model produced and what it
// was sent are different blocks.
func googleBlock(v jsontree.Value, produced bool) []byte {
	text := v.Get("text")
	signature := field(v, "thought_signature")
	inline, file := field(v, "inline_data"), field(v, "file_data")
	code, result := field(v, "executable_code"), field(v, "code_execution_result")
	switch {
	case text.Kind() == jsontree.String && v.Get("thought").Bool():
		return thinkingBlock(text.Raw(), stringRaw(signature), nil, v, "thought", "text", "thought_signature")
	case text.Kind() == jsontree.String:
		return googleText(v, text, signature)
	case inline.Get("data").Kind() == jsontree.String:
		return googleInline(v, inline, produced)
	case field(file, "file_uri").Kind() == jsontree.String:
		m := media{title: field(file, "display_name").Str(), mime: field(file, "mime_type").Str()}
		m.url = field(file, "file_uri").Raw()
		return mediaBlock(m, v, "file_data")
	case code.Kind() == jsontree.Object:
		return newObject().str("type", "code").raw("code", stringOrEmpty(code.Get("code"))).
			rest(code).rest(v, "executable_code").end()
	case result.Kind() == jsontree.Object:
		return newObject().str("type", "code_execution_result").raw("output", stringOrEmpty(result.Get("output"))).
			rest(result).rest(v, "code_execution_result").end()
	default:
		return typedBlock(v)
	}
}

func googleText(v, text, signature jsontree.Value) []byte {
	known := []string{"text", "thought", "thought_signature"}
	if !signature.Given() {
		return textBlock(text.Raw(), nil, v, known...)
	}
	return newObject().
		str("type", "text").
		raw("text", text.Raw()).
		raw("id", nil).
		raw("annotations", nil).
		raw("thought_signature", signature.Raw()).
		rest(v, known...).
		end()
}

func googleInline(v, inline jsontree.Value, produced bool) []byte {
	mime, data := field(inline, "mime_type").Str(), inline.Get("data")
	if produced {
		return outputMedia(dataURL(mime, data.Str()), mime, v, "inline_data")
	}
	title := field(inline, "display_name").Str()
	return mediaBlock(media{title: title, mime: mime, url: data.Raw(), base64: true}, v, "inline_data")
}

// googleOutput reads the first candidate of an answer.
func googleOutput(c Call) (message, bool) {
	content := first(c.Response.Get("candidates")).Get("content")
	m := newMessage(content.Get("role"), roleAssistant)
	for part := range givenElems(content.Get("parts")) {
		if call := field(part, "function_call"); call.Kind() == jsontree.Object {
			m.calls = append(m.calls, googleCall(part, call))
			continue
		}
		m.add(googleBlock(part, true))
	}
	return m, !m.empty()
}
