package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server started by this run.
type process struct {
	cmd     *exec.Cmd
	address string
	ended   chan error
}

// spawn starts a server and waits until the path returns 200.
func spawn(cmd *exec.Cmd, address, readyPath string) (*process, error) {
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	p := &process{cmd: cmd, address: address, ended: make(chan error, 1)}
	go func() { p.ended <- cmd.Wait() }()
	if err := awaitReady(address, readyPath, 2*time.Minute, p.ended); err != nil {
		return nil, errors.Join(err, cmd.Process.Kill())
	}
	return p, nil
}

// terminate stops the server gracefully.
func (p *process) terminate() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("signal the server: %w", err)
	}
	select {
	case err := <-p.ended:
		return err
	case <-time.After(2 * time.Minute):
		return errors.Join(errors.New("the server did not stop"), p.cmd.Process.Kill())
	}
}

// memory returns the current and the peak memory of the process in bytes.
func (p *process) memory() (now, peak int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, 0, fmt.Errorf("read memory use: %w", err)
	}
	return statusKB(string(status), "VmRSS:"), statusKB(string(status), "VmHWM:"), nil
}

func statusKB(status, name string) int64 {
	_, rest, _ := strings.Cut(status, name)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.ParseInt(fields[0], 10, 64) // 0 if the kernel does not report it
	return kb << 10
}

// freeAddress returns a currently free loopback address.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}
