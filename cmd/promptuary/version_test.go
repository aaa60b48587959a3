package main

import (
	"runtime/debug"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

func TestVersionOf(t *testing.T) {
	t.Parallel()
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	tests := map[string]struct {
		module   string
		settings []debug.BuildSetting
		want     string
	}{
		"nothing known":           {want: "(devel)"},
		"no version control":      {module: "(devel)", want: "(devel)"},
		"version of the module":   {module: "v1.2.3", settings: []debug.BuildSetting{commit}, want: "v1.2.3"},
		"commit":                  {module: "(devel)", settings: []debug.BuildSetting{commit}, want: "0123456789ab"},
		"commit with local edits": {module: "(devel)", settings: []debug.BuildSetting{commit, modified}, want: "0123456789ab-dirty"},
	}
	for name, tt := range tests {
		info := &debug.BuildInfo{Main: debug.Module{Version: tt.module}, Settings: tt.settings}
		check.Equal(t, name, versionOf(info), tt.want)
	}
}
