package app

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

func TestServerLogLevels(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := serverLog{slog.New(slog.NewTextHandler(&out, nil))}
	for _, message := range []string{"http: TLS handshake error from 192.0.2.1:5: EOF\n", "http: Accept error: too many open files\n"} {
		n, err := log.Write([]byte(message))
		check.OK(t, err)
		check.Equal(t, "written", n, len(message))
	}
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `level=WARN msg="http: Accept error: too many open files"`) {
		t.Errorf("log:\n%s", got)
	}
}
