package fault

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fault is something that happens to a running program under load. It ends the
// program, in one way or another.
type fault struct {
	name   string
	weight int // how often a long campaign chooses it, relative to others
	needs  need
	// inject, if set, is a system call at which the program is killed or which
	// fails, once or a few times.
	inject *injection
	// strike makes the fault happen. Without it the program is killed when the
	// load has gone on for a while.
	strike func(s *strike) error
	// refuses says that requests may be answered with 5xx during the fault.
	refuses bool
	// never500 says that even then the status is not 500, because the program
	// knows what is wrong.
	never500 bool
}

// need is what a fault needs beyond a running program.
type need int

const (
	needsNothing need = iota
	needsDisk
	needsPostgres
	needsSQLite
)

// injection describes system calls on a file of the data folder, for strace.
type injection struct {
	calls string // separated by commas
	path  string // below the data folder; empty for all
	// effect is "signal=KILL", which kills before the call is executed, or an
	// error that is returned instead of executing it.
	effect string
	most   int // the effect is on the nth call of a thread, with n up to most; 0: on each call
}

const (
	journalFile = "logs/journal/00000000.journal"
	tableFile   = "logs/logs.duckdb"
	catalogWAL  = "catalog.db-wal"
	killed      = "signal=KILL"
)

// kills reports whether the injection ends the program.
func (i *injection) kills() bool { return i.effect == killed }

// tracer returns the command that runs the program and injects the fault. The
// program keeps the process ID of the command.
func (i *injection) tracer(data string, random *rand.Rand) []string {
	args := []string{"strace", "-D", "-f", "-qq", "-e", "signal=none", "-o", "/dev/null"}
	if !i.kills() {
		args = append(args, "--seccomp-bpf") // faster, but it drops injected signals
	}
	if i.path != "" {
		args = append(args, "-P", filepath.Join(data, i.path))
	}
	return append(args, "-e", "trace="+i.calls, "-e", "inject="+i.calls+":"+i.effect+i.when(random))
}

// when chooses the calls that are affected.
func (i *injection) when(random *rand.Rand) string {
	if i.most == 0 {
		return ""
	}
	first := 1 + random.IntN(i.most)
	if i.kills() {
		return fmt.Sprint(":when=", first)
	}
	return fmt.Sprintf(":when=%d..%d", first, first+random.IntN(3))
}

// faults lists the faults of a running program.
var faults = []fault{
	{name: "kill", weight: 30, strike: kill},
	{name: "kill during stop", weight: 8, strike: killDuringStop},
	{name: "kill during start", weight: 8, strike: killDuringStart},
	{name: "kill during rebuild", weight: 3, strike: killDuringRebuild},
	{name: "kill before write to journal", weight: 4, inject: &injection{"pwrite64", journalFile, killed, 3}},
	{name: "kill before flush of journal", weight: 6, inject: &injection{"fdatasync", journalFile, killed, 3}},
	{name: "kill after flush of journal", weight: 6, inject: &injection{"fstat", journalFile, killed, 3}},
	{name: "kill before write to table", weight: 4, inject: &injection{"pwrite64", tableFile, killed, 2}},
	{name: "kill before flush of table", weight: 4, inject: &injection{"fsync", tableFile, killed, 1}},
	{name: "kill before rename", weight: 3, inject: &injection{"rename,renameat,renameat2", "", killed, 1}},
	{name: "kill before write to catalog", weight: 4, needs: needsSQLite, inject: &injection{"pwrite64", catalogWAL, killed, 5}},
	{name: "kill before flush of catalog", weight: 4, needs: needsSQLite, inject: &injection{"fsync,fdatasync", catalogWAL, killed, 3}},
	{name: "pause", weight: 4, strike: pause},
	{name: "torn end of journal", weight: 6, strike: tearJournal},
	{name: "power cut", weight: 10, needs: needsDisk, strike: cutPower, refuses: true},
	{name: "full disk", weight: 3, needs: needsDisk, strike: fillDisk, refuses: true},
	{name: "too few descriptors", weight: 3, strike: exhaustDescriptors, refuses: true},
	{name: "EIO at write to journal", weight: 2, inject: &injection{"pwrite64", journalFile, "error=EIO", 3}, refuses: true},
	{name: "EIO at flush of journal", weight: 2, inject: &injection{"fdatasync", journalFile, "error=EIO", 3}, refuses: true},
	{name: "ENOSPC at write to journal", weight: 2, inject: &injection{"pwrite64", journalFile, "error=ENOSPC", 3}, refuses: true},
	{name: "EIO at write to table", weight: 2, inject: &injection{"pwrite64", tableFile, "error=EIO", 2}, refuses: true},
	{name: "EIO at flush of catalog", weight: 2, needs: needsSQLite, inject: &injection{"fsync,fdatasync", catalogWAL, "error=EIO", 2}, refuses: true},
	{name: "PostgreSQL killed", weight: 20, needs: needsPostgres, strike: killPostgres, refuses: true, never500: true},
}

// available returns the faults that an installation can have.
func available(in *installation) []fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f fault) bool {
		return *only != "" && f.name != *only || f.needs == needsDisk && in.disk == nil || f.needs == needsPostgres && in.postgres == nil ||
			f.needs == needsSQLite && in.postgres != nil
	})
}

// choose returns the fault of a step. The first steps go through all faults in
// random order, later ones choose by weight.
func choose(from []fault, step int, random *rand.Rand) fault {
	if step < len(from) {
		order := rand.New(rand.NewPCG(*seed, 1<<40)).Perm(len(from))
		return from[order[step]]
	}
	total := 0
	for _, f := range from {
		total += f.weight
	}
	ticket := random.IntN(total)
	for _, f := range from {
		if ticket -= f.weight; ticket < 0 {
			return f
		}
	}
	panic("unreachable")
}

// strike is a fault at work.
type strike struct {
	*installation
	process *process
	load    *load
	random  *rand.Rand
}

// within returns a random duration.
func (s *strike) within(longest time.Duration) time.Duration {
	return time.Duration(s.random.Int64N(int64(longest)))
}

func kill(s *strike) error {
	s.process.killAfter(s.within(5 * time.Millisecond))
	return nil
}

func killDuringStop(s *strike) error {
	s.process.signal(syscall.SIGTERM)
	s.process.killAfter(s.within(60 * time.Millisecond))
	return nil
}

func killDuringStart(s *strike) error {
	s.process.kill()
	for range 1 + s.random.IntN(3) {
		if err := s.killStart(s.within(800 * time.Millisecond)); err != nil {
			return err
		}
	}
	return nil
}

// killStart starts the program and kills it soon after.
func (s *strike) killStart(delay time.Duration) error {
	p, err := s.launch.begin()
	if err != nil {
		return err
	}
	if p.waitExit(delay) {
		return p.ended()
	}
	p.kill()
	return p.checkOutput()
}

// killDuringRebuild deletes derived data and kills starts that rebuild it.
func killDuringRebuild(s *strike) error {
	s.process.kill()
	for _, derived := range []string{tableFile, "logs/text"} {
		if s.random.IntN(3) == 0 {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.launch.data, derived)); err != nil {
			return err
		}
	}
	return s.killStart(200*time.Millisecond + s.within(800*time.Millisecond))
}

// pause stops the program for a while, without ending it.
func pause(s *strike) error {
	s.process.signal(syscall.SIGSTOP)
	time.Sleep(s.within(300 * time.Millisecond))
	if s.random.IntN(2) == 0 {
		s.process.signal(syscall.SIGCONT)
		time.Sleep(s.within(200 * time.Millisecond))
	}
	return kill(s)
}

// tearJournal leaves the beginning of a block, or bytes that were never written,
// after the last block.
func tearJournal(s *strike) error {
	s.process.kill()
	path := filepath.Join(s.launch.data, journalFile)
	content, err := os.ReadFile(path)
	if err != nil || len(content) == 0 {
		return err
	}
	garbage := make([]byte, 1+s.random.IntN(5000))
	switch s.random.IntN(3) {
	case 0: // zeros
	case 1:
		for i := range garbage {
			garbage[i] = byte(s.random.Uint32())
		}
	case 2:
		garbage = content[:min(len(content), 1+s.random.IntN(60))] // the first block is longer
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	_, err = file.Write(garbage)
	return err
}

func cutPower(s *strike) error {
	time.Sleep(s.within(5 * time.Millisecond))
	s.process.off.Store(true)
	if err := s.disk.cutPower(); err != nil {
		return err
	}
	s.process.killAfter(s.within(50 * time.Millisecond))
	s.load.clients.Wait()
	return s.disk.restorePower()
}

func fillDisk(s *strike) error {
	if err := s.disk.fill(); err != nil {
		return err
	}
	time.Sleep(300*time.Millisecond + s.within(300*time.Millisecond))
	if s.random.IntN(2) == 0 {
		s.process.kill()
		return s.disk.free()
	}
	if err := s.disk.free(); err != nil {
		return err
	}
	time.Sleep(s.within(300 * time.Millisecond))
	return kill(s)
}

// exhaustDescriptors lets the program open no or few further files for a while.
func exhaustDescriptors(s *strike) error {
	pid := s.process.cmd.Process.Pid
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return err
	}
	var limit unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &limit); err != nil {
		return err
	}
	low := unix.Rlimit{Cur: uint64(len(open) + s.random.IntN(4)), Max: limit.Max}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &low, nil); err != nil {
		return err
	}
	time.Sleep(300*time.Millisecond + s.within(4*time.Second)) // long enough for a checkpoint at times
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &limit, nil); err != nil {
		return err
	}
	time.Sleep(s.within(300 * time.Millisecond))
	return kill(s)
}

func killPostgres(s *strike) error {
	for range 1 + s.random.IntN(2) {
		s.postgres.crash()
		time.Sleep(s.within(300 * time.Millisecond))
		if err := s.postgres.start(); err != nil {
			return err
		}
		time.Sleep(s.within(500 * time.Millisecond))
	}
	return kill(s)
}
