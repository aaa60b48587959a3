package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// textFolder is the folder of the text index within that of the store.
const textFolder = "text"

// The fields of the text index.
const (
	textInput = iota
	textOutput
	textThinking
	textCount
)

// logTexts are the texts of a log by the fields of the text index.
type logTexts [textCount]string

func textsOf(x *reqlog.Index) logTexts {
	return logTexts{textInput: x.InputText, textOutput: x.OutputText, textThinking: x.ThinkingText}
}

// texts keeps the text index in step with the journal. The applier adds the texts of
// logs to it, and so do searches that cannot wait for that; anyone who does holds the
// lock. The index is another one after it was rebuilt.
type texts struct {
	dir     string
	journal *journal.Journal
	index   *index
	alarms  *alarms
	log     *slog.Logger

	opened atomic.Pointer[textindex.Index]

	mu   sync.Mutex // held while texts are added
	last int64      // the last id in the text index
}

// close closes the text index, if it was opened.
func (t *texts) close() error {
	if text := t.opened.Load(); text != nil {
		return text.Close()
	}
	return nil
}

// current returns the text index.
func (t *texts) current() *textindex.Index { return t.opened.Load() }

// open opens the text index and checks as many bytes of its posting lists,
// 0 for the usual number.
func (t *texts) open(verify int64) error {
	failed := func(err error) {
		t.log.Error("the text index failed in the background", "error", err)
		signal(t.alarms.text)
	}
	opts := textindex.Options{Version: reqlog.IndexVersion, VerifyBytes: verify, OnError: failed}
	text, err := textindex.Open(filepath.Join(t.dir, textFolder), opts)
	if err == nil {
		t.opened.Store(text)
	}
	return err
}

// rebuild opens the index again, which removes the damaged files, and adds
// the logs that it then lacks.
func (t *texts) rebuild(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.current().Close(); err != nil && !errors.Is(err, textindex.ErrClosed) {
		t.log.Warn("cannot close the damaged text index properly", "error", err)
	}
	if err := t.open(math.MaxInt64); err != nil {
		return err
	}
	return t.recover(ctx, t.index.lastID())
}

// add adds the texts of logs to the text index, unless it has them.
func (t *texts) add(operations []operation) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range operations {
		op := &operations[i]
		if op.log == nil || op.ID <= t.last {
			continue
		}
		texts := textsOf(&op.log.Index)
		if t.index.isStripped(op.ID) {
			texts = logTexts{}
		}
		if err := t.addOne(op.log, texts); err != nil {
			return err
		}
	}
	return nil
}

// addOne adds a log's texts to the text index, unless it has them. The caller holds
// mu.
func (t *texts) addOne(l *reqlog.Log, texts logTexts) error {
	if l.ID <= t.last {
		return nil
	}
	if err := t.current().Add(textindex.Doc{ID: l.ID, Owner: l.Workspace, Time: int64(l.Start)}, texts[:]); err != nil {
		return fmt.Errorf("add log %d to the text index: %w", l.ID, err)
	}
	t.last = l.ID
	return nil
}

// recover adds the logs up to lastID that the text index lacks. Nobody else may
// add any in the meantime.
func (t *texts) recover(ctx context.Context, lastID int64) error {
	from := t.current().Last()
	t.last = from
	if lastID <= max(from, 0) {
		return nil
	}
	t.log.Info("adding logs to the text index", "after", from, "up_to", lastID)
	start, ok := t.index.block(from)
	if !ok {
		start = 0
	}
	progress := reporter(t.log, "text index")
	for block, err := range t.journal.Scan(start) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, raw := range block.Records {
			r := record(raw)
			if !r.valid() || r.kind() != recordLog || r.id() <= from {
				continue
			}
			if r.id() > lastID {
				return nil // replay adds the rest
			}
			if t.index.isDeleted(r.id()) {
				continue
			}
			parts, err := r.parts()
			if err != nil {
				return err
			}
			l, err := decodeLog(r)
			if err != nil {
				return err
			}
			texts := parts.texts()
			if t.index.isStripped(r.id()) {
				texts = logTexts{}
			}
			if err := t.addOne(l, texts); err != nil {
				return err
			}
			progress(r.id())
		}
	}
	return nil
}
