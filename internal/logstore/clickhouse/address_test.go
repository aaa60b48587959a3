package clickhouse

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]address{
		"clickhouse://host/logs": {
			hosts: []string{"http://host:8123/"}, user: "default", database: "logs", timeout: 30 * time.Second, memory: 4 << 30, text: "clickhouse://default@host/logs",
		},
		"clickhouse://ann:p%40ss@a:1,b,[::1]:9/logs?secure=1&insert_quorum=auto&query_timeout=5s&query_memory_mb=512": {
			hosts: []string{"https://a:1/", "https://b:8443/", "https://[::1]:9/"}, user: "ann", password: "p@ss", database: "logs",
			quorum: "auto", timeout: 5 * time.Second, memory: 512 << 20, text: "clickhouse://ann@a:1,b,[::1]:9/logs",
		},
	} {
		got, err := parseAddress(text)
		check.OK(t, err)
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v, want %+v", text, *got, want)
		}
	}
}

func TestInvalidAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"clickhouse://":                               "must be clickhouse://",
		"clickhouse://u:secret@host":                  "must be clickhouse://",
		"clickhouse://u:secret@host/a/b":              "must be clickhouse://",
		"clickhouse://u:secret@host:port/logs":        "must be clickhouse://",
		"clickhouse://u:secret@a,,b/logs":             "must be clickhouse://",
		"http://u:secret@host/logs":                   "must be clickhouse://",
		"clickhouse://u:secret@h/l?nope=1":            `unknown option "nope"`,
		"clickhouse://u:secret@h/l?secure=perhaps":    "invalid value of secure",
		"clickhouse://u:secret@h/l?insert_quorum=0":   "invalid value of insert_quorum",
		"clickhouse://u:secret@h/l?query_timeout=1":   "invalid value of query_timeout",
		"clickhouse://u:secret@h/l?query_memory_mb=1": "invalid value of query_memory_mb",
	} {
		_, err := Open(t.Context(), text, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
