package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/promptuary/promptuary/internal/demo"
)

// apiKey is the API key of the program under test.
const apiKey = "pl_bench_0123456789abcdef0123456789abcdef"

// server is the program under test.
type server struct {
	*process
	stopped bool
}

func startProgram(program, data string, options ...string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, append([]string{"serve", "--addr", address, "--data", data, "--search-limit", "0", "--suggest-limit", "0"}, options...)...)
	cmd.Env = append(os.Environ(), "PROMPTUARY_API_KEY="+apiKey)
	p, err := spawn(cmd, address, "/readyz")
	if err != nil {
		return nil, err
	}
	return &server{process: p}, nil
}

// stop stops the program. It can be called repeatedly.
func (s *server) stop() error {
	if s.stopped {
		return nil
	}
	s.stopped = true
	return s.terminate()
}

// connect opens a connection to the program.
func (s *server) connect() (*client, error) { return dial(s.address, apiKey) }

// storage returns the options of the program that say where request logs are.
func (b *bench) storage() []string {
	if b.house == nil {
		return nil
	}
	return []string{"--logs", b.house.address()}
}

func (b *bench) startServer() (err error) {
	if b.engine == clickHouse {
		if b.house, err = startHouse(); err != nil {
			return err
		}
	}
	if b.metrics, err = freeAddress(); err != nil {
		return err
	}
	began := time.Now()
	server, err := startProgram(b.program, b.path("data"), append(b.storage(), "--metrics-addr", b.metrics)...)
	if err != nil {
		return err
	}
	b.server = server
	b.report.info("start on an empty folder, until ready", milliseconds(time.Since(began)))
	now, _, err := server.memory()
	if err != nil {
		return err
	}
	b.report.below("memory, idle after start", megabytes(now), 150)
	b.prompts, err = server.publishTemplates()
	return err
}

// publishTemplates publishes the templates of the logs and returns their ids by
// name.
func (s *server) publishTemplates() (map[string]int64, error) {
	c, err := s.connect()
	if err != nil {
		return nil, err
	}
	defer c.close()
	ids := map[string]int64{}
	for _, t := range demo.Templates() {
		answer, err := c.expect(http.StatusCreated, "POST", "/rest/prompt-templates", t.Publication())
		if err != nil {
			return nil, err
		}
		var published struct{ ID int64 }
		if err := json.Unmarshal(answer, &published); err != nil {
			return nil, fmt.Errorf("answer to a template: %w", err)
		}
		ids[t.Name] = published.ID
	}
	return ids, nil
}

// measureRestart stops the program, measures its data on disk, and starts it
// again: everything acknowledged must still exist.
func (b *bench) measureRestart() error {
	_, peak, err := b.server.memory()
	if err != nil {
		return err
	}
	b.report.info("memory, highest of the whole run", megabytes(peak))
	began := time.Now()
	if err := b.server.stop(); err != nil {
		return err
	}
	b.report.info("stop after SIGTERM", milliseconds(time.Since(began)))
	if b.house == nil {
		if err := b.weigh(); err != nil {
			return err
		}
	}
	began = time.Now()
	if b.server, err = startProgram(b.program, b.path("data"), b.storage()...); err != nil {
		return err
	}
	b.reportStart(milliseconds(time.Since(began)))
	now, _, err := b.server.memory()
	if err != nil {
		return err
	}
	b.report.info("memory, idle after start on the loaded folder", megabytes(now))
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	found, err := searchProgram(c, []byte(`{}`))
	if err != nil {
		return err
	}
	b.report.same("logs after the restart", found.Total, int64(b.next))
	return b.measureIdling()
}

// reportStart reports the start on the loaded folder, which has an aim for ten
// million logs.
func (b *bench) reportStart(took quantity) {
	const name = "start on the loaded folder, until ready"
	if b.alone {
		b.report.below(name, took, 3000)
		return
	}
	b.report.info(name, took)
}

// idlingTime is how long the program is watched while nothing asks it.
const idlingTime = 20 * time.Second

// measureIdling watches the program while it checks everything stored, as it does once
// a day and after a start, and then without that check.
func (b *bench) measureIdling() error {
	checking, err := b.idle()
	if err != nil {
		return err
	}
	b.report.info("CPU while stored data is checked, of a core", checking)
	if err := b.server.stop(); err != nil {
		return err
	}
	if b.server, err = startProgram(b.program, b.path("data"), append(b.storage(), "--scrub-rate", "0")...); err != nil {
		return err
	}
	idling, err := b.idle()
	if err != nil {
		return err
	}
	b.report.below("CPU while idle, of a core", idling, 0.5)
	return nil
}

// idle returns the share of a core that the program uses while nothing asks it.
func (b *bench) idle() (quantity, error) {
	time.Sleep(2 * time.Second) // what a start or a request has begun
	before, err := b.server.cpu()
	if err != nil {
		return quantity{}, err
	}
	time.Sleep(idlingTime)
	after, err := b.server.cpu()
	return quantity{100 * (after - before).Seconds() / idlingTime.Seconds(), "%"}, err
}

// weigh compares the size of the data folder with that of the bodies.
func (b *bench) weigh() error {
	var total int64
	root := b.path("data")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		b.report.Files = append(b.report.Files, fileSize{name, info.Size()})
		total += info.Size()
		return nil
	})
	if err != nil {
		return fmt.Errorf("measure the data folder: %w", err)
	}
	most := 1.0
	if b.alone {
		most = 0.55
	}
	b.report.atMost("disk, everything included", megabytes(total), megabytes(b.bodyBytes), most)
	return nil
}
