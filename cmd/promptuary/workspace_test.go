package main

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestRejectsBlankWorkspaceNames(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	check.Equal(t, "created", check.Must(command(t, data, "workspace", "create", "team"))(t), `created workspace 2 "team"`)
	for _, blank := range []string{"", "  ", "\t"} {
		_, err := command(t, data, "workspace", "create", blank)
		check.Refused(t, err, fault.Invalid, "name must not be blank")
		_, err = command(t, data, "workspace", "rename", "team", blank)
		check.Refused(t, err, fault.Invalid, "name must not be blank")
	}
	check.Equal(t, "renamed", check.Must(command(t, data, "workspace", "rename", "team", "crew"))(t), `changed workspace 2 "crew"`)
}
