package logcopy

import (
	"bytes"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
)

func sameMembers(a, b []reqlog.Member) bool {
	return slices.EqualFunc(a, b, func(a, b reqlog.Member) bool { return a.Key == b.Key && bytes.Equal(a.Value, b.Value) })
}

// sameLink reports whether logs have the same prompt and input variables.
func sameLink(a, b *reqlog.Log) bool {
	if a.Prompt == nil || b.Prompt == nil {
		return a.Prompt == b.Prompt && bytes.Equal(a.Variables, b.Variables)
	}
	return a.Prompt.ID == b.Prompt.ID && a.Prompt.Version == b.Prompt.Version &&
		slices.Equal(a.Prompt.Referenced, b.Prompt.Referenced) && bytes.Equal(a.Variables, b.Variables)
}
