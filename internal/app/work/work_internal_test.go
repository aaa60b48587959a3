package work

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// Requests of dry runs are not those of production.
func TestLogsOfRuns(t *testing.T) {
	t.Parallel()
	normal, dry := logsOf(run.Scope{WorkflowID: 7}), logsOf(run.Scope{WorkflowID: 7, DryRun: true})
	check.Equal(t, "source of a run", normal.Source, reqlog.SourceWorkflow)
	check.Equal(t, "tags of a run", normal.Tags, []string{"workflow", "workflow-7"})
	check.Equal(t, "source of a dry run", dry.Source, reqlog.SourcePlayground)
	check.Equal(t, "tags of a dry run", dry.Tags, []string{"workflow", "workflow-7", "dry-run"})
}
