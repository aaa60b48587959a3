package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// followed returns the logs behind a mark, and the mark behind them.
func followed(t *testing.T, dir string, settled bool, from Mark) (ids []int64, end Mark, damage int) {
	t.Helper()
	f := check.Must(Follow(dir, settled))(t)
	defer func() { check.OK(t, f.Close()) }()
	end = from
	check.OK(t, f.Parts(t.Context(), from, func(p Part) error {
		for _, l := range p.Batch.Logs {
			ids = append(ids, l.ID)
		}
		end = p.End
		return nil
	}))
	return ids, end, len(f.Damage())
}

// TestFollowersOfARunningStore reads a journal that grows, ends in the middle of a
// write, and is damaged.
func TestFollowersOfARunningStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := check.Must(Open(t.Context(), dir, Options{MinFreeMB: -1}))(t)
	logs := logstoretest.Corpus()[:6]
	write := func(l *reqlog.Log) { check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{l}})) }
	write(logs[0])
	write(logs[1])
	ids, mark, _ := followed(t, dir, false, Mark{})
	check.Equal(t, "logs", ids, []int64{logs[0].ID, logs[1].ID})
	write(logs[2])
	path := filepath.Join(dir, "journal", "00000000.journal")
	whole := check.Must(os.ReadFile(path))(t)
	write(logs[3])
	write(logs[4])
	check.OK(t, s.Close())

	all := check.Must(os.ReadFile(path))(t)
	check.OK(t, os.WriteFile(path, all[:len(whole)+50], 0o600)) // in the middle of log 3
	ids, _, _ = followed(t, dir, false, mark)
	check.Equal(t, "logs before a write in progress", ids, []int64{logs[2].ID})

	damaged := append([]byte(nil), all...)
	damaged[len(whole)+50] ^= 0xff
	check.OK(t, os.WriteFile(path, damaged, 0o600))
	ids, behind, _ := followed(t, dir, false, mark)
	check.Equal(t, "logs before what may be a write in progress", ids, []int64{logs[2].ID})
	ids, _, damage := followed(t, dir, true, behind)
	check.Equal(t, "logs behind damage", ids, []int64{logs[4].ID})
	check.Equal(t, "damage", damage, 1)

	check.OK(t, os.WriteFile(path, all[:10], 0o600))
	f := check.Must(Follow(dir, true))(t)
	defer func() { check.OK(t, f.Close()) }()
	if err := f.Parts(t.Context(), mark, func(Part) error { return nil }); !errors.Is(err, ErrRewritten) {
		t.Errorf("a journal that was cut off: %v", err)
	}
}
