package e2e

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// move is a server whose request logs are moved while clients write.
type move struct {
	t      *testing.T
	ledger *ledger
	random *rand.Rand
	groups []int64
}

// TestMovesLogs moves the request logs of a running server to ClickHouse and back, as
// docs/scaling.md says. Clients write, annotate, and copies are killed in the meantime.
func TestMovesLogs(t *testing.T) {
	t.Parallel()
	data, spare, address := t.TempDir(), t.TempDir(), clickhousetest.Start(t)
	m := &move{t: t, ledger: &ledger{}, random: rand.New(rand.NewPCG(7, 1))}
	p := start(t, data)
	m.groups = []int64{createGroup(t, p.client)}
	m.writing(p, func() { m.copyKilled(data, address) })
	from := time.Now()
	p.stop()
	m.copy(data, address, "--finish")
	p = start(t, data, "--logs", address)
	t.Logf("%d logs: the servers were away for %s", len(m.ledger.known), time.Since(from))
	m.verify(p)
	m.writing(p, func() { m.copyKilled(address, spare) })
	p.stop()
	if !m.kill(address, spare, "--finish") {
		m.copy(address, spare, "--finish")
	}
	check.OK(t, os.Rename(filepath.Join(data, "logs"), filepath.Join(data, "old-logs")))
	check.OK(t, os.Rename(filepath.Join(spare, "logs"), filepath.Join(data, "logs")))
	p = start(t, data)
	m.ledger.checked, m.ledger.highest = 0, 0 // check everything again
	m.verify(p)
	p.stop()
}

func (m *move) verify(p *program) {
	m.t.Helper()
	if err := m.ledger.verify(p.client); err != nil {
		m.t.Fatal(err)
	}
}

// writing calls during while clients write.
func (m *move) writing(p *program, during func()) {
	m.t.Helper()
	stop := make(chan struct{})
	var workers errgroup.Group
	for number := range 3 {
		w := &worker{
			client: p.client, ledger: m.ledger, groups: m.groups, stop: stop, acknowledged: func(int) { time.Sleep(15 * time.Millisecond) }, // a few hundred logs in all
			random: rand.New(rand.NewPCG(7, uint64(len(m.ledger.known)+number))),
		}
		workers.Go(w.run)
	}
	during()
	close(stop)
	check.OK(m.t, workers.Wait())
}

// copyKilled kills some copies, and completes one.
func (m *move) copyKilled(from, to string) {
	m.t.Helper()
	for range 4 {
		m.kill(from, to)
	}
	m.copy(from, to)
}

// kill kills a copy after a while, and reports whether it had succeeded before.
func (m *move) kill(from, to string, flags ...string) (succeeded bool) {
	m.t.Helper()
	cmd := setup{}.command(m.t, append([]string{"logs", "copy", "--from", from, "--to", to}, flags...)...)
	exited, err := startTied(cmd)
	check.OK(m.t, err)
	select {
	case <-time.After(time.Duration(m.random.Int64N(int64(time.Second)))):
		_ = cmd.Process.Kill() // it may be ending
	case <-exited:
	}
	<-exited
	return cmd.ProcessState.Success()
}

// copy runs a copy to its end.
func (m *move) copy(from, to string, flags ...string) {
	m.t.Helper()
	out, err := setup{}.command(m.t, append([]string{"logs", "copy", "--from", from, "--to", to}, flags...)...).CombinedOutput()
	if err != nil || len(flags) > 0 && !strings.Contains(string(out), "complete and verified") {
		m.t.Fatalf("copy %v: %v\n%s", flags, err, out)
	}
}
