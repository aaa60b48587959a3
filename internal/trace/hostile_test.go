package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestHostileAttributes sends attributes that would cost far more than their
// size if nothing limited it.
func TestHostileAttributes(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 150) + strings.Repeat("]", 150)
	for name, attributes := range map[string]string{
		"names with many dots":      manyDots(2000),
		"a million tiny messages":   quoted(`"gen_ai.input.messages":"[` + strings.Repeat("1,", 1_000_000) + `1]"`),
		"unclosed lists":            quoted(`"gen_ai.input.messages":"` + strings.Repeat("[", 1<<20) + `"`),
		"deep parameters":           quoted(`"llm.invocation_parameters":"{\"a\":` + deep + `,\"b\":1}"`),
		"a deep schema of a tool":   quoted(`"gen_ai.tool.definitions":"[{\"name\":\"f\",\"parameters\":{\"a\":` + deep + `}}]"`),
		"deep metadata":             quoted(`"metadata":"{\"a\":` + deep + `}"`),
		"NUL and prototypes":        quoted(`"gen_ai.input.messages":"a\u0000b","promptlayer.metadata.__proto__":"x","promptlayer.metadata.a\u0000":"y","user.id":"\u0000"`),
		"messages of wrong types":   quoted(`"gen_ai.input.messages":[1,null,true,[[]],{"role":{}},{"content":{"a":1}},{"tool_calls":{}},{"parts":"x","tool_calls":[1,[]]}]`),
		"numbers beyond all limits": quoted(`"gen_ai.usage.input_tokens":1e400,"gen_ai.usage.cost":1e400,"workflow_id":1e300,"promptlayer.prompt.version":9e99`),
		"indexes beyond all limits": quoted(`"gen_ai.prompt.99999999999999999999.content":"x","gen_ai.prompt.-1.content":"x","gen_ai.prompt.4294967296.content":"y"`),
	} {
		in, ok := LogOf(spanOf(attributes))
		check.Equal(t, name, ok, true)
		checkLog(t, in)
		if size := len(in.Log.Input) + len(in.Log.Parameters); size > 4*len(attributes)+1000 {
			t.Errorf("%s: %d bytes of attributes became %d bytes", name, len(attributes), size)
		}
		Index(spanOf(attributes), nil)
	}
}

// manyDots returns attributes whose names have as many parts as they can.
func manyDots(n int) string {
	var list strings.Builder
	for i := range n {
		fmt.Fprintf(&list, `,"gen_ai.prompt.0.%d%s":"x"`, i, strings.Repeat(".a", 400))
	}
	return `{"gen_ai.request.model":"m"` + list.String() + `}`
}

func TestTreesAreShallow(t *testing.T) {
	t.Parallel()
	v := newView(spanOf(manyDots(10)), attributes{}, nil)
	check.Equal(t, "has a tree", v.tree("gen_ai.prompt.") != nil, false)
}
