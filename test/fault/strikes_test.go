package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// strike is a fault at work.
type strike struct {
	*installation
	process *process
	load    *load
	runs    *runs
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
	for range 1 + s.random.IntN(6) {
		if err := s.killStart(s.within(s.process.took * 5 / 4)); err != nil {
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
	s.load.model.figures.countKill(p)
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
	return s.killStart(s.process.took/4 + s.within(s.process.took))
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
	path := lastJournal(s.launch.data, 0)
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
	s.runs.off.Store(true)
	defer s.runs.off.Store(false)
	if err := s.disk.cutPower(); err != nil {
		return err
	}
	s.process.killAfter(s.within(50 * time.Millisecond))
	s.load.clients.Wait()
	return s.disk.restorePower()
}

// stepClock changes the clock of the program a few times.
func stepClock(s *strike) error {
	for range 1 + s.random.IntN(4) {
		if err := s.process.clock.set(skew(s.random)); err != nil {
			return err
		}
		time.Sleep(s.within(100 * time.Millisecond))
	}
	return kill(s)
}

// skew returns a difference of clocks of seconds up to years.
func skew(random *rand.Rand) time.Duration {
	longest := []time.Duration{10 * time.Second, 10 * time.Minute, 30 * time.Hour, 1000 * 24 * time.Hour}[random.IntN(4)]
	return time.Duration(random.Int64N(2*int64(longest))) - longest
}

func fillDisk(s *strike) error {
	if err := s.disk.fill(); err != nil {
		return err
	}
	time.Sleep(300*time.Millisecond + s.within(300*time.Millisecond))
	return s.endFull()
}

// startOnFullDisk fills the disk while the program is not running. It must start,
// answer reads, and accept changes by itself when there is room.
func startOnFullDisk(s *strike) (err error) {
	if s.random.IntN(2) == 0 {
		s.process.signal(syscall.SIGTERM)
	}
	s.process.killAfter(s.within(time.Second))
	s.load.clients.Wait()
	if err := s.disk.fill(); err != nil {
		return err
	}
	p, err := s.launch.begin()
	if err != nil {
		return errors.Join(err, s.disk.free())
	}
	defer p.kill()
	if err := p.waitServing(); err != nil {
		return errors.Join(err, s.disk.free())
	}
	err = errors.Join(s.load.model.check(p.client, lossy{}), s.disk.free(), p.waitReady(), p.checkOutput())
	if err != nil {
		err = fmt.Errorf("%w\nthe program said on the full disk:\n%s", err, lastLines(p.stderr.String(), 12))
	}
	return err
}

// shortWrites fills the disk and frees a few blocks now and then, so that writes
// fail in their middle.
func shortWrites(s *strike) error {
	if err := s.disk.fill(); err != nil {
		return err
	}
	for range 5 + s.random.IntN(10) {
		if err := s.disk.release(1 + s.random.Int64N(6)); err != nil {
			return err
		}
		time.Sleep(s.within(60 * time.Millisecond))
	}
	return s.endFull()
}

// endFull frees the disk before or after the program is killed.
func (s *strike) endFull() error {
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

// limitFileSizes sets a limit that one of the files will reach in the middle of a
// write.
func limitFileSizes(s *strike) error {
	paths := []string{lastJournal(s.launch.data, 0), filepath.Join(s.launch.data, tableFile), filepath.Join(s.launch.data, tableFile+".wal")}
	if s.postgres == nil {
		paths = append(paths, filepath.Join(s.launch.data, catalogWAL))
	}
	info, err := os.Stat(paths[s.random.IntN(len(paths))])
	if errors.Is(err, fs.ErrNotExist) {
		return kill(s)
	}
	if err != nil {
		return err
	}
	return s.limited(unix.RLIMIT_FSIZE, uint64(info.Size()+s.random.Int64N(10_000)), 300*time.Millisecond+s.within(300*time.Millisecond))
}

// exhaustDescriptors lets the program open no or few further files for a while.
func exhaustDescriptors(s *strike) error {
	pid := s.process.cmd.Process.Pid
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return err
	}
	longest := 4 * time.Second // long enough for a checkpoint at times
	return s.limited(unix.RLIMIT_NOFILE, uint64(len(open)+s.random.IntN(4)), 300*time.Millisecond+s.within(longest))
}

// limited lowers a limit of the program for a while, and kills it later.
func (s *strike) limited(resource int, low uint64, lasting time.Duration) error {
	pid := s.process.cmd.Process.Pid
	var before unix.Rlimit
	if err := unix.Prlimit(pid, resource, nil, &before); err != nil {
		return err
	}
	if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: low, Max: before.Max}, nil); err != nil {
		return err
	}
	time.Sleep(lasting)
	if err := unix.Prlimit(pid, resource, &before, nil); err != nil {
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
