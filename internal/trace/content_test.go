package trace

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestContent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ attributes, input, output string }{
		"nothing":  {`{"a":1}`, "", ""},
		"no span":  {``, "", ""},
		"function": {`{"function_input":"{\"args\": [1]}","function_output":"plain"}`, `{"args":[1]}`, `"plain"`},
		"messages": {`{"gen_ai.request.model":"m","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Hi\"}]}]"}`,
			`{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			input, output := Content(&reqlog.Span{Attributes: []byte(c.attributes)})
			check.Equal(t, "input", string(input), c.input)
			check.Equal(t, "output", string(output), c.output)
		})
	}
}
