package step

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	maxCode  = 1 << 20
	codeTime = 6 * time.Minute
)

var codeSpec = Spec{
	Name: "CODE_EXECUTION", Label: "Code", Group: groupCalls, Icon: "brackets",
	Doc:     "Runs JavaScript or Python with the values of earlier nodes.",
	Summary: "{code}",
	Form:    "code",
	Initial: []byte(`{"language":"JAVASCRIPT","code":"return data"}`),
	Work:    Slow,
	Fields: []Field{
		{Name: "language", Kind: FieldChoice, Label: "Language", Choices: words(string(Python), string(JavaScript))},
		{Name: "code", Kind: FieldLong, Label: "Code"},
	},
	SeesAll: true,
	read:    readCode,
}

// readCode reads CODE_EXECUTION: the result of code with all values.
func readCode(c *settings) runner {
	code := c.text("code")
	if len(code) > maxCode {
		c.reportAt("code", fault.MaxBytes(maxCode))
	}
	language := Language(c.choice("language"))
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		if env.Scripts == nil {
			return jsontree.Value{}, missing("Running code is")
		}
		data, err := objectOf(env.all())
		if err != nil {
			return data, err
		}
		ctx, cancel := context.WithTimeout(ctx, codeTime)
		defer cancel()
		return env.Scripts.Run(ctx, language, code, data)
	}
}
