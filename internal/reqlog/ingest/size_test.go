package ingest_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// TestEstimateSizeCountsEveryText sets every string and every byte slice of a
// log, so that fields added later are covered.
func TestEstimateSizeCountsEveryText(t *testing.T) {
	t.Parallel()
	const length = 100_000
	log := &reqlog.Log{}
	texts := fill(reflect.ValueOf(log).Elem(), length)
	got := ingest.EstimateSize(log)
	if want := int64(texts) * length; got < want || got > want+want/10 {
		t.Errorf("estimate = %d, want a little more than the %d texts of %d bytes, %d", got, texts, length, want)
	}
	if texts < 30 {
		t.Errorf("only %d texts were filled", texts)
	}
}

// fill sets every text in v and returns their number.
func fill(v reflect.Value, length int) int {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("x", length))
		return 1
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(make([]byte, length))
			return 1
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		return fill(v.Index(0), length) + fill(v.Index(1), length)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), length)
	case reflect.Struct:
		texts := 0
		for i := range v.NumField() {
			texts += fill(v.Field(i), length)
		}
		return texts
	}
	return 0
}
