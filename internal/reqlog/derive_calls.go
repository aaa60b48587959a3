package reqlog

import (
	"iter"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// hasToolCalls reports whether a message has a non-empty list of tool calls.
func hasToolCalls(message jsontree.Value) bool {
	calls := message.Get("tool_calls")
	return calls.Kind() == jsontree.Array && calls.Len() > 0
}

// makesCalls reports whether a message calls a tool or a function.
func makesCalls(message jsontree.Value) bool {
	return hasToolCalls(message) || message.Get("function_call").Kind() == jsontree.Object
}

// calledFunctions ranges over the functions that a message calls. The legacy
// function_call counts only without tool calls; clients that send both mean the
// same call.
func calledFunctions(message jsontree.Value) iter.Seq[jsontree.Value] {
	return func(yield func(jsontree.Value) bool) {
		if !hasToolCalls(message) {
			if function := message.Get("function_call"); function.Kind() == jsontree.Object {
				yield(function)
			}
			return
		}
		for _, call := range message.Get("tool_calls").Elems() {
			if !yield(call.Get("function")) {
				return
			}
		}
	}
}

// flattenCalls flattens the calls of a message, in either form, as
// {"tool_calls": [{"function": …}]} with the arguments parsed.
func flattenCalls(message jsontree.Value) *flattener {
	const list, function = "tool_calls", "tool_calls.function"
	calls := message.Get(list)
	f := newFlattener(4 * (calls.Len() + 1))
	f.embedded = function + ".arguments"
	if hasToolCalls(message) {
		f.value(calls, list)
	} else {
		f.value(message.Get("function_call"), function)
	}
	return f
}

// deriveCalls counts the tool calls in the whole output, lists the tools that
// the answer called, and collects the thinking blocks.
func deriveCalls(x *Index, output, answer jsontree.Value) {
	var t tally
	if template.KindOf(output) == template.Completion {
		t.add(output, true)
	}
	for _, message := range messagesOf(output).Elems() {
		t.add(message, message == answer)
	}
	x.ToolCallCount = t.calls
	x.ToolNames = distinct(t.names)
	x.ThinkingText = string(t.thinking)
}

// tally accumulates the messages of an output.
type tally struct {
	calls    int64
	names    []string
	thinking []byte
}

// add counts a message; it lists only the tools of the answer.
func (t *tally) add(message jsontree.Value, named bool) {
	for function := range calledFunctions(message) {
		t.call(function, named)
	}
	for _, block := range message.Get("content").Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("thinking"):
			t.think(block.Get("thinking"))
		case kind.Is("server_tool_use"), kind.Is("mcp_call"):
			t.call(block, named) // the provider ran it itself
		}
	}
}

func (t *tally) call(tool jsontree.Value, named bool) {
	t.calls++
	if !named {
		return
	}
	if name := tool.Get("name").Str(); name != "" {
		t.names = append(t.names, name)
	}
}

func (t *tally) think(thought jsontree.Value) {
	if len(t.thinking) > 0 {
		t.thinking = append(t.thinking, '\n')
	}
	t.thinking = thought.AppendStr(t.thinking)
}

// distinct removes duplicates in place and keeps the order of first occurrence.
func distinct(texts []string) []string {
	if len(texts) <= smallObject {
		kept := texts[:0]
		for _, text := range texts {
			if !slices.Contains(kept, text) {
				kept = append(kept, text)
			}
		}
		return kept
	}
	seen := make(map[string]struct{}, len(texts))
	return slices.DeleteFunc(texts, func(text string) bool {
		_, repeated := seen[text]
		seen[text] = struct{}{}
		return repeated
	})
}
