package trace

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

var update = flag.Bool("update", false, "write the golden files")

// TestRecordedRequests reads requests of real exporters, which the tests in
// test/telemetry record.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	files := check.Must(filepath.Glob("testdata/*.json"))(t)
	if len(files) == 0 {
		t.Fatal("no recorded requests")
	}
	for _, file := range files {
		body := check.Must(os.ReadFile(file))(t)
		batch := check.Must(DecodeOTLP(JSON, body))(t)
		var got strings.Builder
		for i, span := range batch.Spans {
			fmt.Fprintf(&got, "# %s\n", span.Name)
			if log := batch.Logs[i]; log != nil {
				fmt.Fprintln(&got, describeLog(t, log))
			}
		}
		golden := strings.TrimSuffix(file, ".json") + ".golden"
		if *update {
			check.OK(t, os.WriteFile(golden, []byte(got.String()), 0o644))
		}
		check.Equal(t, file, got.String(), string(check.Must(os.ReadFile(golden))(t)))
	}
}
