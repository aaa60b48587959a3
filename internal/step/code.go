package step

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	maxCode  = 1 << 20
	codeTime = 6 * time.Minute
)

// readCode reads CODE_EXECUTION: what code makes of all values.
func readCode(c *settings) runner {
	code := c.text("code")
	if len(code) > maxCode {
		c.fail("'code' is larger than %d MiB", maxCode>>20)
	}
	language := Language(c.word("", []string{string(Python), string(JavaScript)}, "language"))
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
