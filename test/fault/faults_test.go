package fault

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
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
	// options are further options of the program.
	options []string
	// skewed says that the clock of the program is not that of the machine.
	skewed bool
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
	needsClock
)

// injection describes system calls on a file of the data folder, for strace.
type injection struct {
	calls string // separated by commas
	// path is below the data folder; empty for all. The journal is its last file
	// and the next one.
	path string
	// effect is "signal=KILL", which kills before the call is executed, or an
	// error that is returned instead of executing it.
	effect string
	most   int // the effect is on the nth call of a thread, with n up to most; 0: on each call
}

const (
	journalFile = "logs/journal/*.journal"
	nextJournal = "logs/journal/+1.journal"
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
	for _, path := range i.paths(data) {
		args = append(args, "-P", path)
	}
	return append(args, "-e", "trace="+i.calls, "-e", "inject="+i.calls+":"+i.effect+i.when(random))
}

func (i *injection) paths(data string) []string {
	switch i.path {
	case "":
		return nil
	case journalFile:
		return []string{lastJournal(data, 0), lastJournal(data, 1)}
	case nextJournal:
		return []string{lastJournal(data, 1)}
	}
	return []string{filepath.Join(data, i.path)}
}

// lastJournal returns the path of the last file of the journal, or of a later
// one.
func lastJournal(data string, later int) string {
	files, _ := filepath.Glob(filepath.Join(data, journalFile)) // the pattern is valid
	return filepath.Join(data, "logs/journal", fmt.Sprintf("%08d.journal", max(len(files)-1, 0)+later))
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

// smallJournal makes almost every write begin a new file of the journal.
var smallJournal = []string{"--journal-file-size", "4KB"}

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
	{name: "kill before switch of journal file", weight: 3, options: smallJournal, inject: &injection{"openat", nextJournal, killed, 1}},
	{name: "kill before flush of journal folder", weight: 3, options: smallJournal, inject: &injection{"fsync", "logs/journal", killed, 2}},
	{name: "EIO at flush of journal folder", weight: 2, options: smallJournal, inject: &injection{"fsync", "logs/journal", "error=EIO", 2}, refuses: true},
	{name: "clock steps", weight: 6, needs: needsClock, strike: stepClock, skewed: true},
	{name: "pause", weight: 4, strike: pause},
	{name: "torn end of journal", weight: 6, strike: tearJournal},
	{name: "power cut", weight: 10, needs: needsDisk, strike: cutPower, refuses: true},
	{name: "full disk", weight: 3, needs: needsDisk, strike: fillDisk, refuses: true},
	{name: "full disk at start", weight: 3, needs: needsDisk, strike: startOnFullDisk},
	{name: "short writes to a full disk", weight: 3, needs: needsDisk, strike: shortWrites, refuses: true},
	{name: "short writes at a limit of file sizes", weight: 3, strike: limitFileSizes, refuses: true},
	{name: "too few descriptors", weight: 3, strike: exhaustDescriptors, refuses: true},
	{name: "EIO at write to journal", weight: 2, inject: &injection{"pwrite64", journalFile, "error=EIO", 3}, refuses: true},
	{name: "EIO at flush of journal", weight: 2, inject: &injection{"fdatasync", journalFile, "error=EIO", 3}, refuses: true},
	{name: "ENOSPC at write to journal", weight: 2, inject: &injection{"pwrite64", journalFile, "error=ENOSPC", 3}, refuses: true},
	{name: "EIO at write to table", weight: 2, inject: &injection{"pwrite64", tableFile, "error=EIO", 2}, refuses: true},
	{name: "EIO at flush of catalog", weight: 2, needs: needsSQLite, inject: &injection{"fsync,fdatasync", catalogWAL, "error=EIO", 2}, refuses: true},
	{name: "EIO at read of catalog", weight: 2, needs: needsSQLite, inject: &injection{"pread64", "catalog.db", "error=EIO", 60}, refuses: true},
	{name: "EIO at read of table", weight: 2, inject: &injection{"pread64", tableFile, "error=EIO", 8}, refuses: true},
	{name: "PostgreSQL killed", weight: 20, needs: needsPostgres, strike: killPostgres, refuses: true, never500: true},
}

// available returns the faults that an installation can have.
func available(in *installation) []fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f fault) bool {
		return !wanted(f.name) || f.needs == needsDisk && in.disk == nil || f.needs == needsPostgres && in.postgres == nil ||
			f.needs == needsSQLite && in.postgres != nil || f.needs == needsClock && !canStepClocks()
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
