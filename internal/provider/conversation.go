package provider

// Conversation is how a provider that knows only two roles takes messages.
type Conversation struct {
	// Assistant is the provider's word for the model's role, and List the name
	// under which a message has its content.
	Assistant, List string
	// Alternate says that roles must alternate, so that consecutive messages of
	// one role are joined.
	Alternate bool
	// Part returns a part of a user's message, Reply a part of the model's, and
	// nil for what the provider does not take.
	Part, Reply func(Item) JSON
	// Call returns the part for a call, and Result the part for its result.
	Call   func(Call) JSON
	Result func(*Message) JSON
}

// Conversation returns the messages of the template, without instructions.
// Messages whose content is empty are left out.
func (a *Arguments) Conversation(c Conversation) List {
	w := conversationWriter{list: c.List}
	for _, m := range a.Messages() {
		switch {
		case m.IsSystem():
		case m.Role == RolePlaceholder:
			w.end()
			w.messages.Add(Value(m.V))
		case m.Role == RoleTool || m.Role == RoleFunction:
			// Consecutive results belong to calls that were made together.
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
	// results says that it holds only results of tools.
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
