package api_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// TestLargeFileIsNotHeldInMemory imports a file of 60 MB and watches the
// heap. It runs alone, so that nothing else is on the heap.
func TestLargeFileIsNotHeldInMemory(t *testing.T) {
	const rows, fileSize, allowed = 600_000, 60 << 20, 24 << 20
	w := newWorld(t, settings{})
	group := w.post(t, http.StatusCreated, "/api/public/v2/dataset-groups", `{"name":"large"}`)["dataset_group"].(map[string]any)["id"]
	body, size := largeBody(fmt.Sprint(group), rows)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/api/public/v2/dataset-versions/from-file", body)
	check.OK(t, err)
	request.Header.Set("X-API-KEY", w.keys["home"])
	grown := watchHeap(t)
	got, err := w.answer(request)
	check.OK(t, err)
	if peak := grown(); got.status != http.StatusCreated || size.Load() < fileSize || peak > allowed {
		t.Fatalf("%d bytes are answered with %d %s, and the heap grew by %d bytes", size.Load(), got.status, got.body, peak)
	}
	object, err := got.object()
	check.OK(t, err)
	path := fmt.Sprintf("/api/public/v2/datasets/%v/rows?page=%d&per_page=1", object["dataset_id"], rows)
	page := w.must(t, http.StatusOK, "home", http.MethodGet, path, "")
	cells := page["rows"].([]any)[0].([]any)
	if last := cells[0].(map[string]any)["value"]; page["total"] != float64(rows) || last != fmt.Sprint(rows-1) {
		t.Errorf("there are %v rows, the last of which is %v", page["total"], last)
	}
}

// largeBody returns a body that is generated while it is read, and the size
// of the file until now.
func largeBody(group string, rows int) (io.Reader, *atomic.Int64) {
	from, to := io.Pipe()
	size := new(atomic.Int64)
	go func() {
		text := bufio.NewWriterSize(to, 32<<10)
		_, _ = text.WriteString(`{"file_content_base64":"`)
		encoder := base64.NewEncoder(base64.StdEncoding, text)
		line := []byte("n,question,answer\n")
		for i := -1; i < rows; i++ {
			if i >= 0 {
				line = fmt.Appendf(line[:0], "%d,\"What is, after all, the number %d?\",It is the one that follows the one before it and so on: %d\n", i, i, i)
			}
			size.Add(int64(len(line)))
			if _, err := encoder.Write(line); err != nil {
				break // the request has ended
			}
		}
		_ = encoder.Close()
		_, _ = text.WriteString(`","file_name":"large.csv","dataset_group_id":` + group + `}`)
		_ = text.Flush()
		_ = to.Close()
	}()
	return from, size
}

// watchHeap samples the live heap until the returned function is called,
// which returns its largest growth. Garbage does not count, because its
// amount depends on the load of the machine.
func watchHeap(t *testing.T) (grown func() int64) {
	t.Helper()
	percent := debug.SetGCPercent(20) // for frequent samples
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	runtime.GC()
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	held := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	before, peak := held(), int64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for ticks := time.NewTicker(10 * time.Millisecond); ; {
			select {
			case <-ticks.C:
				peak = max(peak, held()-before)
			case <-stop:
				ticks.Stop()
				return
			}
		}
	}()
	return func() int64 {
		close(stop)
		<-stopped
		return peak
	}
}
