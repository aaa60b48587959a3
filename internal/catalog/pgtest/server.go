package pgtest

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"
)

const superuser = "postgres"

const startTimeout = time.Minute

// watch runs the server until its input ends, which happens when the tests stop
// it or are killed, and then removes the folder. $1 is the folder, the rest is the
// command of the server. For each line, it kills the server and starts it again
// after that many seconds.
const watch = `
folder=$1
shift
"$@" &
server=$!
while read -r pause; do
	kill -QUIT "$server"
	wait "$server"
	sleep "$pause"
	"$@" &
	server=$!
done
kill -INT "$server"
wait "$server"
cd /
rm -rf "$folder"
`

// settings trade durability for speed.
var settings = []string{
	"listen_addresses=",
	"max_connections=400",
	"shared_buffers=64MB",
	"fsync=off",
	"synchronous_commit=off",
	"full_page_writes=off",
	"autovacuum=off",
	"deadlock_timeout=100ms",
}

type server struct {
	folder  string
	account *syscall.Credential // nil: the account of the tests
	process *exec.Cmd
	input   io.WriteCloser
	admin   *sql.DB
}

// startServer starts a server with the settings. It calls started with a server
// that must be stopped.
func startServer(settings []string, started func(*server)) (*server, error) {
	initdb, postgres, err := findPrograms()
	if err != nil {
		return nil, err
	}
	s := &server{}
	if err := s.prepareFolder(); err != nil {
		return nil, err
	}
	if err := s.create(initdb); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.folder))
	}
	if s.admin, err = sql.Open("pgx", s.dsn("postgres")); err != nil {
		return nil, err
	}
	if err := s.run(postgres, settings); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.folder))
	}
	started(s)
	return s, s.waitUntilReady()
}

// findPrograms searches PATH and the folders of Debian, newest release first.
func findPrograms() (initdb, postgres string, err error) {
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", "", err
	}
	slices.SortFunc(folders, func(a, b string) int { return release(b) - release(a) })
	find := func(program string) string {
		if path, err := exec.LookPath(program); err == nil {
			return path
		}
		for _, folder := range folders {
			if path, err := exec.LookPath(filepath.Join(folder, program)); err == nil {
				return path
			}
		}
		return ""
	}
	initdb, postgres = find("initdb"), find("postgres")
	if initdb == "" || postgres == "" {
		return "", "", errors.New("PostgreSQL is not installed: run the tests with `make test`, which installs it")
	}
	return initdb, postgres, nil
}

func release(folder string) int {
	number, err := strconv.Atoi(filepath.Base(filepath.Dir(folder)))
	if err != nil {
		return 0
	}
	return number
}

// prepareFolder creates the folder of the server and chooses the user to run as,
// because PostgreSQL refuses to run as root.
func (s *server) prepareFolder() error {
	folder, err := os.MkdirTemp("", "promptuary-pg-")
	if err != nil {
		return err
	}
	s.folder = folder
	if os.Geteuid() != 0 {
		return nil
	}
	if s.account, err = unprivileged(); err != nil {
		return err
	}
	return os.Chown(folder, int(s.account.Uid), int(s.account.Gid))
}

func unprivileged() (*syscall.Credential, error) {
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("find an account that is not root: %w", err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

func (s *server) data() string { return filepath.Join(s.folder, "data") }

func (s *server) logPath() string { return filepath.Join(s.folder, "log") }

func (s *server) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = s.folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account, Setpgid: true}
	return cmd
}

// create initialises the data folder. It uses a locale that does not sort byte by
// byte, to reveal queries that depend on the locale, or the C locale if PostgreSQL
// has no ICU.
func (s *server) create(initdb string) error {
	common := []string{"-D", s.data(), "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"}
	if s.command(initdb, append(common, "--locale-provider=icu", "--icu-locale=en-US")...).Run() == nil {
		return nil
	}
	if err := os.RemoveAll(s.data()); err != nil {
		return err
	}
	if output, err := s.command(initdb, common...).CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	return nil
}

func (s *server) run(postgres string, settings []string) error {
	args := []string{"-c", watch, "watch", s.folder, postgres, "-D", s.data(), "-k", s.folder}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	log, err := os.Create(s.logPath())
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.process = s.command("sh", args...)
	s.process.Stdout, s.process.Stderr = log, log
	if s.input, err = s.process.StdinPipe(); err != nil {
		return err
	}
	return s.process.Start()
}

// waitUntilReady waits until the server accepts connections.
func (s *server) waitUntilReady() error {
	timeout := time.After(startTimeout)
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		err := s.exec("SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-timeout:
			return fmt.Errorf("PostgreSQL did not start: %w\n%s", err, s.logTail())
		}
	}
}

// stop stops the server and waits until its folder is removed.
func (s *server) stop() {
	_ = s.admin.Close()
	_ = s.input.Close()
	_ = s.process.Wait()
}
