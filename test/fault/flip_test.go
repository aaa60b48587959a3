package fault

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// kind is a kind of file of a data folder, with what may happen when it is
// damaged while the server is stopped.
type kind struct {
	name    string
	pattern string // of its paths below the data folder
	weight  int
	// expect says what the server must do.
	expect expectation
	// killed says that the server was killed, which leaves the file.
	killed bool
}

// expectation is the promise about a damaged file. In every case the server must
// not crash.
type expectation int

const (
	// rebuilt: the server starts and serves everything.
	rebuilt expectation = iota
	// reported: the server starts and serves everything but the logs of the
	// damaged block, and says that it is damaged.
	reported
	// refusedStart: the server refuses to start and says why, or serves
	// everything.
	refusedStart
	// unprotected: the file has no checksums. The server refuses to start, fails
	// requests, serves everything, or serves something else: nothing is promised
	// but that it does not crash.
	unprotected
)

// kinds lists the kinds of files.
var kinds = []kind{
	{name: "journal", pattern: "logs/journal/*.journal", weight: 8, expect: reported},
	{name: "log table", pattern: "logs/logs.duckdb", weight: 4, expect: rebuilt},
	{name: "text index", pattern: "logs/text/*.seg", weight: 4, expect: rebuilt},
	{name: "catalog", pattern: "catalog.db", weight: 3, expect: unprotected},
	{name: "log of the catalog", pattern: "catalog.db-wal", weight: 4, expect: refusedStart, killed: true},
	{name: "index of the log of the catalog", pattern: "catalog.db-shm", weight: 1, expect: rebuilt, killed: true},
	{name: "undo file", pattern: "logs/logs.duckdb.undo", weight: 2, expect: rebuilt, killed: true},
	{name: "outcome of the backup", pattern: "backup.json", weight: 1, expect: rebuilt},
	{name: "secret key", pattern: "secret.key", weight: 1, expect: refusedStart},
	{name: "installation ID", pattern: "logs/installation", weight: 1, expect: refusedStart},
	{name: "lock", pattern: "promptuary.lock", weight: 1, expect: rebuilt},
}

// TestDamagedFiles damages one file at a time of a stopped installation, and
// starts the program.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	b := fillFolder(t)
	ofKill := killFolder(t)
	outcomes, done := map[string]int{}, 0
	for step := *from; step < *from+*flips && !timeUp(); step++ {
		random := rand.New(rand.NewPCG(*seed, uint64(step)|1<<41))
		k := chooseKind(step, random)
		if !wanted(k.name) {
			continue
		}
		damaged := b
		if k.killed {
			damaged = ofKill
		}
		outcome, err := damaged.try(t.TempDir(), k, random)
		if err != nil {
			t.Errorf("seed %d, step %d, %s: %v\nreproduce with -seed %d -from %d -flips 1", *seed, step, k.name, err, *seed, step)
		}
		outcomes[k.name+": "+outcome]++
		done++
	}
	var lines []string
	for outcome, count := range outcomes {
		lines = append(lines, fmt.Sprintf("%d × %s", count, outcome))
	}
	slices.Sort(lines)
	t.Logf("seed %d, %d damaged files in %s, %d logs:\n%s", *seed, done, time.Since(begun).Round(time.Second), b.model.known.Requests, strings.Join(lines, "\n"))
}

// chooseKind goes through all kinds first, and then chooses by weight.
func chooseKind(step int, random *rand.Rand) kind {
	if step < len(kinds) {
		return kinds[step]
	}
	var deck []kind
	for _, k := range kinds {
		deck = append(deck, slices.Repeat([]kind{k}, k.weight)...)
	}
	return deck[random.IntN(len(deck))]
}

// base is a stopped installation with the model of its content.
type base struct {
	launch launch
	model  *model
}

// fillFolder fills a data folder under load, with several text segments, and
// stops the server gracefully.
func fillFolder(t *testing.T) *base {
	t.Helper()
	b := newBase(t)
	for life := range 3 {
		p, err := b.launch.start()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.kill)
		l := startLoad(p.client, b.model, fmt.Sprint("life-", life), rand.New(rand.NewPCG(*seed, uint64(life))))
		l.waitReached(p)
		if err := errors.Join(l.end(), b.model.check(p.client, lossy{}), p.stop()); err != nil {
			t.Fatal(err)
		}
	}
	if output, err := command(b.launch.program, "backup", t.TempDir(), "--data", b.launch.data).CombinedOutput(); err != nil {
		t.Fatalf("backup: %v\n%s", err, output)
	}
	return b
}

func newBase(t *testing.T) *base {
	t.Helper()
	return &base{launch: launch{program: programPath(t), data: filepath.Join(t.TempDir(), "data"), options: common}, model: newModel()}
}

// killFolder fills a data folder, kills the server when everything is answered, and
// kills the next one in the middle of a checkpoint of the table.
func killFolder(t *testing.T) *base {
	t.Helper()
	b := newBase(t)
	p, err := b.launch.start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	l := startLoad(p.client, b.model, "killed", rand.New(rand.NewPCG(*seed, 1<<42)))
	l.waitReached(p)
	if err := errors.Join(l.end(), b.model.check(p.client, lossy{})); err != nil {
		t.Fatal(err)
	}
	p.kill()
	traced := b.launch
	traced.tracer = (&injection{calls: "pwrite64", path: tableFile, effect: killed}).tracer(b.launch.data, nil)
	if p, err = traced.begin(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	if err := p.waitServing(); err == nil {
		p.signal(syscall.SIGTERM) // a graceful stop makes a checkpoint
	}
	if !p.waitExit(patience) || p.cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("the server was not killed at its checkpoint: it %s", p.state())
	}
	return b
}

// try damages a copy of the folder and returns what the server did with it.
func (b *base) try(dir string, k kind, random *rand.Rand) (outcome string, err error) {
	copied := b.launch
	copied.data = filepath.Join(dir, "data")
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := copyFolder(copied.data, b.launch.data); err != nil {
		return "", err
	}
	where, lost, err := b.damage(copied.data, k, random)
	if err != nil {
		return "", err
	}
	p, err := copied.start()
	if ended, ok := errors.AsType[*endedError](err); ok {
		if ended.code != 1 || crash.MatchString(ended.said) || k.expect < refusedStart {
			return "refused start", fmt.Errorf("%s: %w", where, err)
		}
		return "refused start", nil
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", where, err)
	}
	defer p.kill()
	outcome, err = b.compare(p, k, lost)
	p.kill()
	if outcome == onlyDamagedLost {
		err = errors.Join(err, copied.verifyFinds())
	}
	if err = errors.Join(err, p.checkOutput()); err != nil {
		err = fmt.Errorf("%s: %w", where, err)
	}
	return outcome, err
}

// compare compares what the server serves with the model.
func (b *base) compare(p *process, k kind, lost lossy) (outcome string, err error) {
	complete := b.model.checkEverything(p.client, lossy{})
	if complete == nil {
		return "served everything", nil
	}
	switch {
	case p.hasExited():
		return "ended", p.ended()
	case k.expect == unprotected && refused(complete):
		return "failed requests", nil
	case k.expect == unprotected:
		return "served something else", nil
	case k.expect != reported:
		return "served something else", complete
	}
	if err := b.model.checkEverything(p.client, lost); err != nil {
		return "lost too much", err
	}
	blocks, err := p.damaged()
	if err == nil && blocks == 0 {
		err = fmt.Errorf("the damage is not reported: %w", complete)
	}
	return onlyDamagedLost, err
}

// onlyDamagedLost is the outcome of a damaged block.
const onlyDamagedLost = "served all but the damaged block"

// verifyFinds returns an error unless `promptuary verify` finds the damage.
func (l launch) verifyFinds() error {
	output, err := command(l.program, "verify", "--data", l.data).CombinedOutput()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok && ended.ExitCode() == 1 && bytes.Contains(output, []byte("DAMAGED journal")) {
		return nil
	}
	return fmt.Errorf("verify does not find the damage: %w\n%s", err, output)
}

// damage damages a file of the kind: a bit, or at times a sector. It returns a
// description and what may be lost.
func (b *base) damage(data string, k kind, random *rand.Rand) (where string, lost lossy, err error) {
	paths, err := filepath.Glob(filepath.Join(data, k.pattern))
	if err != nil || len(paths) == 0 {
		return "", lossy{}, fmt.Errorf("no file matches %s: %w", k.pattern, err)
	}
	path := paths[random.IntN(len(paths))]
	content, err := os.ReadFile(path)
	if err != nil {
		return "", lossy{}, err
	}
	at := random.IntN(len(content))
	end := at + 1
	if random.IntN(5) == 0 {
		at -= at % 512
		end = min(at+512, len(content))
		where = fmt.Sprintf("sector at %d of %d of %s zeroed", at, len(content), k.name)
	} else {
		where = fmt.Sprintf("bit in byte %d of %d of %s flipped", at, len(content), k.name)
	}
	if k.expect == reported {
		if lost, err = b.lostIn(content, at, end); err != nil {
			return where, lost, err
		}
	}
	if end-at == 1 {
		content[at] ^= 1 << random.IntN(8)
	} else {
		clear(content[at:end])
	}
	return where, lost, os.WriteFile(path, content, 0o600)
}

const (
	blockMagic  = 0x314a5450
	blockHeader = 16
)

// lostIn returns the content of the journal's blocks in a part of a segment.
func (b *base) lostIn(segment []byte, from, to int) (lost lossy, err error) {
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		return lossy{}, err
	}
	defer decoder.Close()
	lost.logs, lost.spans, lost.traces = map[int64]bool{}, map[string]bool{}, map[string]bool{}
	for at := 0; at < to; {
		if binary.LittleEndian.Uint32(segment[at:]) != blockMagic {
			return lossy{}, fmt.Errorf("no block at byte %d", at)
		}
		end := at + blockHeader + int(binary.LittleEndian.Uint32(segment[at+8:]))
		if end > from {
			records, err := decoder.DecodeAll(segment[at+blockHeader:end], nil)
			if err != nil {
				return lossy{}, err
			}
			b.addLost(&lost, records)
		}
		at = end
	}
	return lost, nil
}

// addLost adds the content of a block's records: the logs whose words they
// contain, and the traces and spans whose ids they contain. Any other record is an
// annotation.
func (b *base) addLost(lost *lossy, block []byte) {
	for rest := block; len(rest) > 0; {
		size, n := binary.Uvarint(rest)
		record := rest[n : n+int(size)]
		rest = rest[n+int(size):]
		logged, traced := b.addLostLogs(lost, record), b.addLostSpans(lost, record)
		lost.notes = lost.notes || !logged && !traced
	}
}

func (b *base) addLostLogs(lost *lossy, record []byte) (found bool) {
	for _, e := range b.model.logs {
		if bytes.Contains(record, []byte(e.word())) {
			lost.logs[e.number] = true
			found = true
		}
	}
	return found
}

func (b *base) addLostSpans(lost *lossy, record []byte) (found bool) {
	for _, t := range b.model.trees {
		if !bytes.Contains(record, []byte(t.id)) {
			continue
		}
		found = true
		lost.traces[t.id] = true
		for id := range t.state.spans {
			lost.spans[id] = lost.spans[id] || bytes.Contains(record, []byte(id))
		}
	}
	return found
}

// copyFolder copies a data folder, with the modes that its files need.
func copyFolder(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return os.Chmod(filepath.Join(to, "secret.key"), 0o600)
}
