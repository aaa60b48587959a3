package anthropic

import (
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// The APIs require a limit of the answer. The default is the most that every
// model of a generation can generate, but no more than client libraries allow
// without streaming.
const (
	olderLimit   = 4096
	defaultLimit = 8192
	// maxBudget is far above the reasoning budget of any model.
	maxBudget = 10_000_000
)

// olderModels are parts of the names of models that generate at most olderLimit
// tokens.
var olderModels = []string{"claude-3-opus", "claude-3-sonnet", "claude-3-haiku", "claude-2", "claude-v2", "claude-instant"}

// limitOf returns the default limit of a model.
func limitOf(model string) int64 {
	if !strings.Contains(model, "claude") {
		return olderLimit
	}
	for _, name := range olderModels {
		if strings.Contains(model, name) {
			return olderLimit
		}
	}
	return defaultLimit
}

// limitFor returns the default limit of a call as a JSON text. Reasoning counts
// as part of the answer, so its budget comes on top.
func limitFor(model string, thinking jsontree.Value) string {
	limit := limitOf(model)
	if budget, ok := thinking.Get("budget_tokens").Int(); ok && budget > 0 && budget < maxBudget {
		limit += budget
	}
	return strconv.FormatInt(limit, 10)
}

// requireLimit sets the argument that limits the answer to the default unless a
// limit is given.
func requireLimit(a *provider.Arguments, name string) {
	if !a.Params.HasLimit(name) {
		a.Params.Set(name, jsontree.MustParse(limitFor(a.ModelName(), a.Params.Get("thinking"))))
	}
}
