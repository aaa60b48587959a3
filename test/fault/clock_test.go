package fault

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// TestDriverStepsClocks checks the driver: a program must see the steps of its
// clock.
func TestDriverStepsClocks(t *testing.T) {
	t.Parallel()
	if !canStepClocks() {
		t.Skip("clocks can be stepped only on amd64")
	}
	const day = 24 * time.Hour
	p, err := launch{program: programPath(t), data: filepath.Join(t.TempDir(), "data"), skew: new(-100 * day)}.start()
	if err != nil {
		t.Fatal(err)
	}
	defer p.kill()
	for _, difference := range []time.Duration{-100 * day, 100 * day, 0} {
		if err := p.clock.set(difference); err != nil {
			t.Fatal(err)
		}
		response, err := http.Get(p.address + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		date, err := http.ParseTime(response.Header.Get("Date"))
		if err != nil {
			t.Fatal(err)
		}
		if off := time.Until(date) - difference; off.Abs() > day {
			t.Errorf("the program says it is %s, %s off", date, off)
		}
	}
	if err := errors.Join(p.stop(), p.checkOutput()); err != nil {
		t.Error(err)
	}
}

// clock is the wall clock of one process, which differs from that of the machine
// by a number of seconds. The process takes the time from functions that the
// kernel maps into its memory; they are replaced before its first instruction.
type clock struct {
	memory string  // path of the memory of the process
	steps  []int64 // addresses of the difference, one for each function
}

// canStepClocks reports whether the machine code below runs here.
func canStepClocks() bool { return runtime.GOARCH == "amd64" }

// stepAt is where the difference is in a function below, aligned so that a write
// to it is never seen in part.
const stepAt = 32

// clockFunctions make the system call and add the difference to the seconds.
var clockFunctions = map[string][]byte{
	"__vdso_clock_gettime": {
		0xb8, 228, 0, 0, 0, // mov eax, clock_gettime
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi: CLOCK_REALTIME
		0x74, 5, // je add
		0x83, 0xff, 5, // cmp edi, CLOCK_REALTIME_COARSE
		0x75, 10, // jne end
		0x48, 0x8b, 0x0d, stepAt - 23, 0, 0, 0, // add: mov rcx, [difference]
		0x48, 0x01, 0x0e, // add [rsi], rcx
		0xc3, // end: ret
	},
	"__vdso_gettimeofday": {
		0xb8, 96, 0, 0, 0, // mov eax, gettimeofday
		0x0f, 0x05, // syscall
		0x48, 0x85, 0xff, // test rdi, rdi
		0x74, 10, // je end
		0x48, 0x8b, 0x0d, stepAt - 19, 0, 0, 0, // mov rcx, [difference]
		0x48, 0x01, 0x0f, // add [rdi], rcx
		0xc3, // end: ret
	},
}

// takeClock replaces the functions of a process that has not run yet.
func takeClock(pid int, difference time.Duration) (*clock, error) {
	c := &clock{memory: fmt.Sprintf("/proc/%d/mem", pid)}
	base, image, err := c.kernelFunctions(pid)
	if err != nil {
		return nil, err
	}
	symbols, err := image.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		code, ok := clockFunctions[s.Name]
		if !ok {
			continue
		}
		if s.Size < stepAt+8 || s.Value%8 != 0 {
			return nil, fmt.Errorf("%s has %d bytes at %#x", s.Name, s.Size, s.Value)
		}
		address := base + int64(s.Value)
		if err := c.write(address, code); err != nil {
			return nil, err
		}
		c.steps = append(c.steps, address+stepAt)
	}
	if len(c.steps) != len(clockFunctions) {
		return nil, errors.New("the kernel does not map the functions of the clock")
	}
	return c, c.set(difference)
}

var kernelMapping = regexp.MustCompile(`(?m)^([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]$`)

// kernelFunctions reads the functions that the kernel has mapped, and where.
func (c *clock) kernelFunctions(pid int) (base int64, image *elf.File, err error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, nil, err
	}
	found := kernelMapping.FindSubmatch(maps)
	if found == nil {
		return 0, nil, errors.New("the kernel maps no functions")
	}
	base, startErr := strconv.ParseInt(string(found[1]), 16, 64)
	end, endErr := strconv.ParseInt(string(found[2]), 16, 64)
	memory, err := os.Open(c.memory)
	if err = errors.Join(startErr, endErr, err); err != nil {
		return 0, nil, err
	}
	defer func() { _ = memory.Close() }()
	content := make([]byte, end-base)
	if _, err := memory.ReadAt(content, base); err != nil {
		return 0, nil, err
	}
	image, err = elf.NewFile(bytes.NewReader(content))
	return base, image, err
}

func (c *clock) write(address int64, content []byte) error {
	memory, err := os.OpenFile(c.memory, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, err = memory.WriteAt(content, address)
	return errors.Join(err, memory.Close())
}

// set makes the clock differ from that of the machine, in whole seconds.
func (c *clock) set(difference time.Duration) error {
	seconds := binary.LittleEndian.AppendUint64(nil, uint64(difference/time.Second))
	var err error
	for _, address := range c.steps {
		err = errors.Join(err, c.write(address, seconds))
	}
	return err
}
