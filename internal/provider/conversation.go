package provider

// Conversation describes the messages of a provider with two roles.
type Conversation struct {
	// Assistant is the provider's name for the role of the model, and List the
	// member that contains the content of a message.
	Assistant, List string
	// Alternate says that roles must alternate, so consecutive messages of one
	// role are merged.
	Alternate bool
	// Part returns a part of a user message, Reply a part of a model message.
	// They return nil for unsupported content.
	Part, Reply func(Item) JSON
	// Call returns the part for a call, and Result the part for its result.
	Call   func(Call) JSON
	Result func(*Message) JSON
}

// Conversation returns the messages of the template, without instructions.
// Messages without content are omitted.
func (a *Arguments) Conversation(c Conversation) List {
	w := conversationWriter{list: c.List}
	for _, m := range a.Messages() {
		switch {
		case m.IsSystem():
		case m.Role == RolePlaceholder:
			w.end()
			w.messages.Add(Value(m.V))
		case m.Role == RoleTool || m.Role == RoleFunction:
			// Consecutive results belong to parallel calls.
			w.begin(RoleUser, c.Alternate || w.results)
			w.results = true
			w.parts.Add(c.Result(&m))
		case m.Role == RoleAssistant:
			w.begin(c.Assistant, c.Alternate)
			w.addItems(&m, c.Reply)
			for _, call := range Calls(m.V) {
				w.parts.Add(c.Call(call))
			}
		default:
			w.begin(RoleUser, c.Alternate)
			w.addItems(&m, c.Part)
		}
	}
	w.end()
	return w.messages
}

// conversationWriter gathers parts into messages.
type conversationWriter struct {
	list     string
	messages List
	// role and parts are those of the message being written, if any.
	role  string
	parts List
	// results reports whether it contains only tool results.
	results bool
}

// begin starts a message of the role unless it may continue the current one.
func (w *conversationWriter) begin(role string, join bool) {
	if !join || w.role != role {
		w.end()
		w.role = role
	}
}

func (w *conversationWriter) addItems(m *Message, part func(Item) JSON) {
	for _, it := range Items(m.Content) {
		w.parts.Add(part(it))
	}
}

// end writes the current message unless it is empty.
func (w *conversationWriter) end() {
	if len(w.parts) > 0 {
		w.messages.Add(NewObject().Str("role", w.role).Set(w.list, w.parts))
	}
	w.role, w.parts, w.results = "", nil, false
}
