package fault

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// backups is the number of complete backups of TestBackup, and killedBackups that
// of killed ones before each.
const (
	backups       = 2
	killedBackups = 3
)

// TestBackup backs up a server under load, kills backups and restores, fills the
// disk of the target, and compares what a restored folder serves with everything
// that was acknowledged before the backup began.
func TestBackup(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(*seed, 0))
	target := filepath.Join(t.TempDir(), "backups")
	var full *disk
	if os.Geteuid() == 0 {
		var err error
		if full, err = mountDisk(t); err != nil {
			t.Fatal(err)
		}
		target = filepath.Join(full.path, "backups")
	}
	b := &backupTest{t: t, launch: launch{program: programPath(t), data: filepath.Join(t.TempDir(), "data"), options: common}, target: target, random: random}
	p, err := b.launch.start()
	if err != nil {
		t.Fatal(err)
	}
	defer p.kill()
	before, other := newModel(), b.otherWorkspace(p)
	meanwhile := newModel()
	for round := range backups {
		// All of the first model is acknowledged when the backup begins, and the load
		// on the other workspace continues during it.
		l := startLoad(p.client, before, fmt.Sprint("before-", round), random)
		l.waitReached(p)
		b.ok(l.end())
		l = startLoad(other, meanwhile, fmt.Sprint("meanwhile-", round), random)
		l.waitReached(p)
		for range killedBackups {
			b.kill("backup", target, "--data", b.launch.data)
		}
		if full != nil {
			b.ok(full.fill())
			b.fails(2, "backup", target, "--data", b.launch.data)
			b.ok(full.free())
		}
		acknowledged := meanwhile.acknowledged(fmt.Sprint("meanwhile-", round))
		b.succeeds("backup", target, "--data", b.launch.data, "--keep", "2")
		b.ok(l.end())
		b.succeeds("verify", target)
		b.compare(before, acknowledged, other.key, fmt.Sprint("meanwhile-", round))
	}
	b.ok(p.stop(), p.checkOutput())
}

// backupTest is a server and the target of its backups.
type backupTest struct {
	t      *testing.T
	launch launch
	target string
	random *rand.Rand
}

func (b *backupTest) ok(errs ...error) {
	b.t.Helper()
	if err := errors.Join(errs...); err != nil {
		b.t.Fatal(err)
	}
}

// otherWorkspace returns a client of another workspace.
func (b *backupTest) otherWorkspace(p *process) *client {
	b.t.Helper()
	b.succeeds("workspace", "create", "other", "--data", b.launch.data)
	key := strings.TrimSpace(b.succeeds("key", "create", "--name", "load", "--workspace", "other", "--data", b.launch.data))
	c := newClient(key)
	c.address = p.address
	return c
}

// succeeds runs the program and returns its output.
func (b *backupTest) succeeds(args ...string) string {
	b.t.Helper()
	return b.fails(0, args...)
}

// fails runs the program, which must exit with a status.
func (b *backupTest) fails(status int, args ...string) string {
	b.t.Helper()
	cmd := command(append([]string{b.launch.program}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
		b.t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != status {
		b.t.Fatalf("%v exits with %d, want %d:\n%s%s", args, got, status, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// kill runs the program and kills it at some moment.
func (b *backupTest) kill(args ...string) {
	b.t.Helper()
	cmd := command(append([]string{b.launch.program}, args...)...)
	exited, err := startTied(cmd)
	b.ok(err)
	select {
	case <-exited:
	case <-time.After(time.Duration(b.random.Int64N(int64(150 * time.Millisecond)))):
		_ = cmd.Process.Kill() // it may have ended
		<-exited
	}
}

// compare restores the last point, after restores that were killed, and compares
// what a server has.
func (b *backupTest) compare(m *model, acknowledged []int64, otherKey, tag string) {
	b.t.Helper()
	data := filepath.Join(b.t.TempDir(), "restored")
	for range killedBackups {
		b.kill("restore", b.target, "--data", data)
		if _, err := os.Stat(data); err == nil {
			break // it was complete; otherwise nothing is visible
		}
	}
	if _, err := os.Stat(data); err != nil {
		b.succeeds("restore", b.target, "--data", data)
	}
	b.fails(2, "restore", b.target, "--data", data) // it overwrites nothing
	restored := b.launch
	restored.data = data
	p, err := restored.start()
	b.ok(err)
	defer p.kill()
	b.ok(m.checkEverything(p.client, lossy{}))
	other := newClient(otherKey)
	other.address = p.address
	found, err := other.search(tagged(tag))
	b.ok(err)
	stored := map[int64]bool{}
	for _, i := range found.Items {
		stored[i.ID] = true
	}
	for _, id := range acknowledged {
		if !stored[id] {
			b.t.Errorf("log %d was acknowledged before the backup began and is lost", id)
		}
	}
	if len(acknowledged) == 0 {
		b.t.Error("nothing was acknowledged during the load")
	}
	added, err := ask[struct{ ID int64 }](p.client, http.MethodPost, "/log-request", (&entry{number: 1, tag: "new"}).body())
	b.ok(err)
	if m.byID[added.ID] != nil || stored[added.ID] || added.ID == 0 {
		b.t.Errorf("a new log has the id %d, which another has", added.ID)
	}
	b.ok(p.stop(), p.checkOutput())
}

// acknowledged returns the ids of the logs with a tag that are acknowledged.
func (m *model) acknowledged(tag string) (ids []int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.logs {
		if e.tag == tag && e.id != 0 {
			ids = append(ids, e.id)
		}
	}
	return ids
}
