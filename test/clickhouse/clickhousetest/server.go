package clickhousetest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// The users of a server that Launch starts.
const (
	User     = "tester"
	Password = "secret"
	// Reader is a user that may only read, with the same password.
	Reader = "reader"
)

// Server is a process of the server in test/clickhouse.
type Server struct {
	// Address is clickhouse://user:password@host:port.
	Address string
	command []string
	process *exec.Cmd
	input   io.Closer
	folder  string
}

// Launch builds the server if it has changed, and starts it in a temporary folder
// with options. It stops when Stop is called or this process ends.
func Launch(options ...string) (*Server, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	libraries, err := filepath.Glob(filepath.Join(root, "test/clickhouse/node_modules/@chdb/*/libchdb.so"))
	if err != nil || len(libraries) == 0 {
		return nil, errors.New("ClickHouse is not installed: run the tests with `make test`, which installs it")
	}
	program, err := build(root)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "promptuary-clickhouse-")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, command: append([]string{program, "-library", libraries[0]}, options...)}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

func moduleRoot() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; folder != "/"; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
	}
	return "", errors.New("no folder above this one has a go.mod")
}

// build returns the path of the program. A lock keeps test binaries from building
// it at the same time; go build does nothing if the program is up to date.
func build(root string) (string, error) {
	folder := filepath.Join(root, "bin/tools")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	lock, err := os.Create(filepath.Join(folder, "clickhouse.lock"))
	if err != nil {
		return "", err
	}
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	program := filepath.Join(folder, "clickhouse")
	command := exec.Command("go", "build", "-o", program, "./test/clickhouse")
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the server: %w\n%s", err, output)
	}
	return program, nil
}

// start starts the process, with more options.
func (s *Server) start(options ...string) error {
	log, err := os.Create(filepath.Join(s.folder, "log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	users := fmt.Sprintf("%[1]s:%[2]s,%[3]s:%[2]s/readonly", User, Password, Reader)
	arguments := slices.Concat(s.command[1:], options, []string{"-folder", s.folder, "-users", users})
	s.process = exec.Command(s.command[0], arguments...)
	s.process.Dir, s.process.Stderr = s.folder, log
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.input, err = s.process.StdinPipe(); err != nil {
		return err
	}
	output, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return err
	}
	host, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("ClickHouse did not start: %w: %s", err, text)
	}
	s.Address = "clickhouse://" + User + ":" + Password + "@" + strings.TrimSpace(host)
	return nil
}

// PID is the id of the process.
func (s *Server) PID() int { return s.process.Process.Pid }

// Crash kills the server. Its data stays.
func (s *Server) Crash() error {
	if err := s.process.Process.Kill(); err != nil {
		return err
	}
	_ = s.process.Wait() // it says that the process was killed, and closes the input
	return nil
}

// Revive starts the server again after a crash, at the same address.
func (s *Server) Revive() error {
	address, err := url.Parse(s.Address)
	if err != nil {
		return err
	}
	return s.start("-listen", address.Host)
}

// Stop stops the server and removes its folder.
func (s *Server) Stop() error {
	return errors.Join(s.input.Close(), s.process.Wait(), os.RemoveAll(s.folder))
}
