package clickhouse

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// TestVerifyFindsWordsWithoutTerm removes the terms: the words of logs are found
// only as they are written.
func TestVerifyFindsWordsWithoutTerm(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	s := openAt(t, address)
	defer closeStore(t, s)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: someLogs(3)}))
	check.Must(clickhousetest.Query(address, "OPTIMIZE TABLE log FINAL"))(t) // which builds the index of words
	report := check.Must(Verify(t.Context(), address, ""))(t)
	check.Equal(t, "problems", len(report.Problems), 0)
	check.Equal(t, "logs", report.Logs, int64(3))
	check.Must(clickhousetest.Query(address, "TRUNCATE TABLE term"))(t)
	report = check.Must(Verify(t.Context(), address, ""))(t)
	check.Equal(t, "problems without terms", len(report.Problems), 1)
}
