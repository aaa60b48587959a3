package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// script is a journal and what each block of it must hold.
type script struct {
	t       *testing.T
	dir     string
	journal *journal.Journal
	blocks  map[journal.Position][]string
	sums    map[journal.Position]uint32
}

func newScript(t *testing.T, blocks int) *script {
	t.Helper()
	s := &script{t: t, dir: t.TempDir(), blocks: map[journal.Position][]string{}, sums: map[journal.Position]uint32{}}
	s.open()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range blocks {
		var records [][]byte
		for n := range 1 + random.IntN(4) {
			records = append(records, fmt.Appendf(nil, "record %d.%d %s", i, n, strings.Repeat("text PTJ1 ", random.IntN(20))))
		}
		at := check.Must(s.journal.Append(records))(t)[0]
		for _, r := range records {
			s.blocks[at] = append(s.blocks[at], string(r))
		}
		s.sums[at] = check.Must(s.journal.Sum(at))(t)
	}
	return s
}

func (s *script) open() {
	s.t.Helper()
	j, err := journal.Open(s.dir, journal.Options{SegmentBytes: 2000, BlockBytes: 1 << 20})
	check.OK(s.t, err)
	s.journal = j
	s.t.Cleanup(func() { _ = j.Close() })
}

func (s *script) reopen() {
	s.t.Helper()
	check.OK(s.t, s.journal.Close())
	s.open()
}

// drop returns what keeps all records but those that gone selects, and changes
// what the blocks must hold.
func (s *script) drop(gone func(record string) bool) journal.Keep {
	for at, records := range s.blocks {
		for i, r := range records {
			if gone(r) {
				records[i] = ""
			}
		}
		s.blocks[at] = records
	}
	return func(_ journal.Position, records [][]byte) ([][]byte, bool) {
		kept, changed := make([][]byte, len(records)), false
		for i, r := range records {
			if len(r) > 0 && gone(string(r)) {
				changed = true
				continue
			}
			kept[i] = r
		}
		return kept, changed
	}
}

// rewrite writes all segments but the last again.
func (s *script) rewrite(keep journal.Keep) (sum journal.Rewritten) {
	s.t.Helper()
	numbers := s.journal.Segments()
	for _, n := range numbers[:len(numbers)-1] {
		r := check.Must(s.journal.Rewrite(n, keep))(s.t)
		sum.Blocks += r.Blocks
		sum.Before += r.Before
		sum.After += r.After
	}
	return sum
}

// check reads every block, by its position and in order.
func (s *script) check() {
	s.t.Helper()
	var order []journal.Position
	for at, want := range s.blocks {
		block := check.Must(s.journal.Read(at))(s.t)
		left := strings.Join(want, "") != ""
		if left {
			order = append(order, at)
			check.Equal(s.t, "records", texts(block.Records), want)
			check.Equal(s.t, "sum", check.Must(s.journal.Sum(at))(s.t), s.sums[at])
		} else if strings.Join(texts(block.Records), "") != "" {
			s.t.Errorf("block %d has records: %q", at, texts(block.Records))
		}
	}
	slices.Sort(order)
	var scanned []journal.Position
	for block, err := range s.journal.Scan(0) {
		check.OK(s.t, err)
		if block.Damaged {
			s.t.Fatalf("block %d is damaged", block.Position)
		}
		if strings.Join(texts(block.Records), "") != "" {
			scanned = append(scanned, block.Position)
		}
	}
	check.Equal(s.t, "scanned", scanned, order)
}

func texts(records [][]byte) (list []string) {
	for _, r := range records {
		list = append(list, string(r))
	}
	return list
}

func has(parts ...string) func(string) bool {
	return func(record string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(record, "record "+part) })
	}
}

func TestRewriteKeepsPositions(t *testing.T) {
	t.Parallel()
	s := newScript(t, 300)
	check.OK(t, s.journal.Rotate())
	before := check.Must(s.journal.DiskBytes())(t)
	first := s.rewrite(s.drop(has("1", "2")))
	if first.Blocks == 0 || first.After >= first.Before {
		t.Errorf("nothing became smaller: %+v", first)
	}
	s.check()
	s.reopen()
	s.check()
	s.rewrite(s.drop(has("3", "17")))
	s.check()
	check.Equal(t, "blocks changed again", s.rewrite(s.drop(has("3"))).Blocks, int64(0))
	s.reopen()
	s.check()
	s.rewrite(s.drop(has("")))
	s.check()
	s.reopen()
	s.check()
	if left := check.Must(s.journal.DiskBytes())(t); left > before/10 {
		t.Errorf("%d of %d bytes are left of nothing", left, before)
	}
	for _, entry := range check.Must(os.ReadDir(s.dir))(t) {
		if content := check.Must(os.ReadFile(filepath.Join(s.dir, entry.Name())))(t); bytes.Contains(content, []byte("record")) {
			t.Errorf("%s still has records", entry.Name())
		}
	}
	check.Must(s.journal.Append([][]byte{[]byte("record next")}))(t)
}

func TestAppendAfterARewrittenLastFile(t *testing.T) {
	t.Parallel()
	s := newScript(t, 50)
	check.OK(t, s.journal.Rotate())
	s.rewrite(s.drop(has("4")))
	numbers := s.journal.Segments()
	check.OK(t, s.journal.Close())
	check.OK(t, os.Remove(filepath.Join(s.dir, fmt.Sprintf("%08d.journal", numbers[len(numbers)-1]))))
	s.open()
	s.check()
	at := check.Must(s.journal.Append([][]byte{[]byte("record new")}))(t)[0]
	s.blocks[at], s.sums[at] = []string{"record new"}, check.Must(s.journal.Sum(at))(t)
	s.reopen()
	s.check()
}

func TestInterruptedRewritings(t *testing.T) {
	t.Parallel()
	s := newScript(t, 100)
	check.OK(t, s.journal.Rotate())
	old := check.Must(os.ReadFile(filepath.Join(s.dir, "00000000.journal")))(t)
	s.rewrite(s.drop(has("1")))
	check.OK(t, s.journal.Close())
	// The process was lost before it removed the old file, and within another rewriting.
	check.OK(t, os.WriteFile(filepath.Join(s.dir, "00000000.journal"), old, 0o600))
	check.OK(t, os.WriteFile(filepath.Join(s.dir, "00000000-g2.journal.unfinished"), old[:100], 0o600))
	reader := check.Must(journal.Open(s.dir, journal.Options{ReadOnly: true}))(t)
	check.OK(t, reader.Close())
	check.Must(os.Stat(filepath.Join(s.dir, "00000000.journal")))(t)
	s.open()
	s.check()
	for _, name := range []string{"00000000.journal", "00000000-g2.journal.unfinished"} {
		if _, err := os.Stat(filepath.Join(s.dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestPlacesAreFoundWithoutTheirList(t *testing.T) {
	t.Parallel()
	s := newScript(t, 100)
	check.OK(t, s.journal.Rotate())
	s.rewrite(s.drop(has("1")))
	check.OK(t, s.journal.Close())
	path := filepath.Join(s.dir, "00000000-g1.journal")
	content := check.Must(os.ReadFile(path))(t)
	content[len(content)-30] ^= 1
	check.OK(t, os.WriteFile(path, content, 0o600))
	s.open()
	s.check()
}

func TestDamageOfARewrittenFile(t *testing.T) {
	t.Parallel()
	s := newScript(t, 100)
	check.OK(t, s.journal.Rotate())
	s.rewrite(s.drop(has("1")))
	check.OK(t, s.journal.Close())
	path := filepath.Join(s.dir, "00000000-g1.journal")
	content := check.Must(os.ReadFile(path))(t)
	content[60] ^= 1
	check.OK(t, os.WriteFile(path, content, 0o600))
	s.open()
	damaged := 0
	for block, err := range s.journal.Scan(0) {
		check.OK(t, err)
		if block.Damaged {
			damaged++
			delete(s.blocks, block.Position)
		}
	}
	check.Equal(t, "damaged blocks", damaged, 1)
	// Writing it again keeps the damage, and a repair sets it aside.
	r := check.Must(s.journal.Rewrite(0, s.drop(has("2"))))(t)
	if r.Damaged == 0 {
		t.Error("the damage was not copied")
	}
	s.reopen()
	for range s.journal.Check(0) {
	}
	found := s.journal.Damage()
	check.Equal(t, "damage", len(found), 1)
	check.Must(s.journal.SetAside(found[0]))(t)
	s.reopen()
	s.rewriteRest(has("2"))
	s.check()
}

// rewriteRest drops the same records from the segments that still have them.
func (s *script) rewriteRest(gone func(string) bool) { s.rewrite(s.drop(gone)) }

func TestReadersDuringRewritings(t *testing.T) {
	t.Parallel()
	s := newScript(t, 200)
	check.OK(t, s.journal.Rotate())
	kept := map[journal.Position]string{}
	for at, records := range s.blocks {
		if last := records[len(records)-1]; !strings.Contains(last, ".0") {
			kept[at] = last
		}
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				for at, want := range kept {
					select {
					case <-stop:
						return
					default:
					}
					block, err := s.journal.Read(at)
					if err != nil {
						t.Errorf("block %d: %v", at, err)
						return
					}
					if got := string(block.Records[len(block.Records)-1]); got != want {
						t.Errorf("block %d: %q", at, got)
						return
					}
				}
			}
		})
	}
	for n := range 40 {
		s.rewrite(s.drop(func(r string) bool { return strings.Contains(r, fmt.Sprintf(" %d.0", n)) }))
	}
	close(stop)
	readers.Wait()
	s.check()
}

func TestRewriteOnAFullDiskChangesNothing(t *testing.T) {
	t.Parallel()
	s := newScript(t, 50)
	check.OK(t, s.journal.Rotate())
	// A folder in the place of the new file makes writing fail.
	check.OK(t, os.Mkdir(filepath.Join(s.dir, "00000000-g1.journal.unfinished"), 0o700))
	if _, err := s.journal.Rewrite(0, func(_ journal.Position, records [][]byte) ([][]byte, bool) {
		return make([][]byte, len(records)), true
	}); err == nil {
		t.Error("the segment was written again")
	}
	s.check()
	check.OK(t, os.Remove(filepath.Join(s.dir, "00000000-g1.journal.unfinished")))
	s.reopen()
	s.check()
}
