package fault

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// postgres is a private PostgreSQL server that can be crashed. Unlike the one of
// package pgtest it keeps every acknowledged transaction when it is killed.
type postgres struct {
	folder, program string
	account         *syscall.Credential // nil: the account of the tests
	cmd             *exec.Cmd
	exited          <-chan struct{}
}

const superuser = "postgres"

func startPostgres(t *testing.T) *postgres {
	t.Helper()
	p := &postgres{}
	if err := p.create(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.crash()
		_ = os.RemoveAll(p.folder)
	})
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *postgres) dsn() string {
	query := url.Values{"host": {p.folder}, "sslmode": {"disable"}}
	return "postgres://" + superuser + "@/postgres?" + query.Encode()
}

// find returns the path of a program of PostgreSQL.
func find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("%s is not installed: run the tests with `make test`, which installs it", program)
	}
	slices.Sort(found)
	return found[len(found)-1], nil
}

// create initialises the data folder. PostgreSQL refuses to run as root.
func (p *postgres) create() error {
	initdb, err := find("initdb")
	if err != nil {
		return err
	}
	if p.program, err = find("postgres"); err != nil {
		return err
	}
	if p.folder, err = os.MkdirTemp("", "promptuary-fault-pg-"); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		if err := p.becomeUnprivileged(); err != nil {
			return err
		}
	}
	output, err := p.command(initdb, "-D", p.data(), "-U", superuser, "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	return nil
}

func (p *postgres) becomeUnprivileged() error {
	account, err := user.Lookup("postgres")
	if err != nil {
		if account, err = user.Lookup("nobody"); err != nil {
			return fmt.Errorf("find an account that is not root: %w", err)
		}
	}
	uid, err := strconv.Atoi(account.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(account.Gid)
	if err != nil {
		return err
	}
	p.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(p.folder, uid, gid)
}

func (p *postgres) data() string { return filepath.Join(p.folder, "data") }

func (p *postgres) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = p.folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.account}
	return cmd
}

// start starts the server and waits until it accepts connections. Without fsync
// it loses nothing when it is killed, because the system survives.
func (p *postgres) start() (err error) {
	p.cmd = p.command(p.program, "-D", p.data(), "-k", p.folder, "-c", "listen_addresses=", "-c", "fsync=off")
	said := &output{}
	p.cmd.Stdout, p.cmd.Stderr = said, said
	if p.exited, err = startTied(p.cmd); err != nil {
		return err
	}
	ready, err := find("psql")
	if err != nil {
		return err
	}
	return eventually(func() (bool, error) {
		select {
		case <-p.exited:
			return true, fmt.Errorf("PostgreSQL ended:\n%s", said)
		default:
		}
		err := p.command(ready, "-h", p.folder, "-U", superuser, "-c", "SELECT 1").Run()
		return err == nil, err
	})
}

// crash stops the server immediately: it aborts everything, and the next start
// recovers from its log.
func (p *postgres) crash() {
	_ = p.cmd.Process.Signal(syscall.SIGQUIT)
	<-p.exited
}
