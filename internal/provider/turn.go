package provider

import "github.com/promptuary/promptuary/internal/jsontree"

// Turn is a message of a blueprint that is being built.
type Turn struct {
	// Role is the role in the blueprint, and shown the provider's name for it.
	Role, shown string

	Name         JSON
	Blocks       List
	Calls        List
	FunctionCall JSON
	CallID       JSON

	// source is the recorded message. Its members are kept, except known ones.
	source jsontree.Value
	known  []string
}

// NewTurn starts a message with the role for a name, or the other role if it is
// unknown.
func NewTurn(word jsontree.Value, other string) Turn {
	shown := word.Str()
	if shown == "" {
		shown = other
	}
	return Turn{Role: roleOf(shown, other), shown: shown}
}

// Say returns a message of the role with these blocks.
func Say(role string, blocks ...JSON) Turn { return Turn{Role: role, shown: role, Blocks: blocks} }

// ToolResult returns the message that answers the call with an id.
func ToolResult(id jsontree.Value) Turn {
	return Turn{Role: RoleTool, shown: RoleTool, CallID: String(id)}
}

// From makes the message keep the members of a recorded message, except those
// known, in snake case.
func (t *Turn) From(source jsontree.Value, known ...string) { t.source, t.known = source, known }

// Add appends a block.
func (t *Turn) Add(block JSON) { t.Blocks.Add(block) }

// Join appends the blocks and calls of another message.
func (t *Turn) Join(other Turn) {
	t.Blocks = append(t.Blocks, other.Blocks...)
	t.Calls = append(t.Calls, other.Calls...)
}

// Empty reports whether the message has no content.
func (t *Turn) Empty() bool {
	return len(t.Blocks) == 0 && len(t.Calls) == 0 && t.FunctionCall == nil
}

func (t *Turn) object() *Object {
	o := NewObject().
		Set("input_variables", List{}).
		Str("template_format", "f-string").
		Set("content", t.Blocks).
		Str("raw_request_display_role", t.shown).
		Set("dataset_examples", List{}).
		Str("role", t.Role)
	if t.Role == RoleAssistant || t.FunctionCall != nil {
		o.Set("function_call", t.FunctionCall)
	}
	o.Set("name", t.Name)
	if len(t.Calls) > 0 {
		o.Set("tool_calls", t.Calls)
	} else if t.Role == RoleAssistant {
		o.Set("tool_calls", nil)
	}
	switch {
	case t.CallID != nil:
		o.Set("tool_call_id", t.CallID)
	case t.Role == RoleTool:
		o.Str("tool_call_id", "")
	}
	return o.Rest(t.source, t.known...)
}

// PartReader adds a part of a recorded message to t, or returns a separate
// message for it, such as a tool result.
type PartReader func(t *Turn, part jsontree.Value) *Turn

// Read returns the messages for a recorded message with this content: the parts
// in order, with tool results as separate messages.
func (t Turn) Read(content jsontree.Value, read PartReader) []Turn {
	if content.Kind() != jsontree.Array {
		if content.Given() {
			t.Add(PlainText(content))
		}
		return []Turn{t}
	}
	var out []Turn
	bare := t
	for part := range GivenElems(content) {
		result := read(&t, part)
		if result == nil {
			continue
		}
		if !t.Empty() {
			out = append(out, t)
			t = bare
		}
		out = append(out, *result)
	}
	if len(out) == 0 || !t.Empty() {
		out = append(out, t)
	}
	return out
}

// ReadConversation returns the system prompt and the messages of a call whose
// messages have the members role and content. It returns false if there are no
// messages.
func ReadConversation(r *Reading, read PartReader) ([]Turn, bool) {
	list := r.Peek("messages")
	if list.Kind() != jsontree.Array {
		return nil, false
	}
	var turns []Turn
	if system := r.Lift("system"); system.Given() {
		turns = Say(RoleSystem).Read(system, read)
	}
	for _, v := range list.Elems() {
		if v.Kind() != jsontree.Object || !v.Get("role").Given() && !v.Get("content").Given() {
			continue
		}
		t := NewTurn(v.Get("role"), RoleUser)
		t.From(v, "role", "content")
		turns = append(turns, t.Read(v.Get("content"), read)...)
	}
	return turns, true
}

// ReadReply returns the message of an answer with this role and these parts. It
// returns false if there is none.
func ReadReply(role, parts jsontree.Value, read PartReader) (Turn, bool) {
	t := NewTurn(role, RoleAssistant)
	for part := range GivenElems(parts) {
		if read(&t, part) != nil {
			t.Add(TypedBlock(part))
		}
	}
	return t, !t.Empty()
}

// Blueprint is a template of a request log that is being built.
type Blueprint struct {
	Completion bool
	// Content is for completions, everything else for chats.
	Content List
	Turns   []Turn

	Functions    JSON
	Tools        List
	FunctionCall JSON
	ToolChoice   JSON
}

func (b *Blueprint) bytes() []byte {
	if b.Completion {
		return NewObject().
			Set("content", b.Content).
			Str("template_format", "f-string").
			Str("type", "completion").
			Set("input_variables", List{}).
			Set("dataset_examples", List{}).
			Bytes()
	}
	messages := make(List, len(b.Turns))
	for i := range b.Turns {
		messages[i] = b.Turns[i].object()
	}
	functions := b.Functions
	if functions == nil {
		functions = List{}
	}
	return NewObject().
		Set("messages", messages).
		Set("functions", functions).
		Set("tools", b.Tools).
		Set("function_call", b.FunctionCall).
		Set("tool_choice", b.ToolChoice).
		Str("type", "chat").
		Set("input_variables", List{}).
		Set("dataset_examples", List{}).
		Bytes()
}
