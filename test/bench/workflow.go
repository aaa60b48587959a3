package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// benchRuns is the number of runs that are started as fast as possible.
	benchRuns = 1000
	// checkedNodes is the number of nodes of the large graph.
	checkedNodes = 500
)

// measureWorkflows measures the overhead of runs with trivial nodes and without
// models.
func (b *bench) measureWorkflows() error {
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	if err := b.measureChecking(c); err != nil {
		return err
	}
	if _, err := c.expect(http.StatusCreated, "POST", "/rest/workflows", graphBody("bench hundred", 100)); err != nil {
		return err
	}
	if err := b.runAll(10); err != nil { // warm up
		return err
	}
	before, err := b.server.cpu()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := b.runAll(benchRuns); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := b.server.cpu()
	if err != nil {
		return err
	}
	b.report.below("workflow of 100 nodes, CPU of a run", milliseconds((after-before)/benchRuns), 5)
	b.report.info("workflow of 100 nodes, 1,000 runs at once", perSecond(benchRuns, took))
	return nil
}

// measureChecking measures checking and storing a large graph.
func (b *bench) measureChecking(c *client) error {
	body := graphBody("bench large", checkedNodes)
	fastest := time.Duration(0)
	for n := range 5 {
		text := strings.Replace(string(body), "bench large", fmt.Sprintf("bench large %d", n), 1)
		began := time.Now()
		if _, err := c.expect(http.StatusCreated, "POST", "/rest/workflows", []byte(text)); err != nil {
			return err
		}
		if took := time.Since(began); fastest == 0 || took < fastest {
			fastest = took
		}
	}
	b.report.below("workflow of 500 nodes, checked and stored", milliseconds(fastest), 50)
	return nil
}

// node is a node of a workflow of this benchmark.
type node struct {
	Name          string         `json:"name"`
	Type          string         `json:"node_type"`
	Configuration map[string]any `json:"configuration"`
	Dependencies  []string       `json:"dependencies"`
	IsOutput      bool           `json:"is_output_node"`
}

// workflowBody is the body that stores a workflow.
func workflowBody(name string, nodes ...node) []byte {
	text, _ := json.Marshal(map[string]any{"name": name, "nodes": nodes}) // cannot fail
	return text
}

// graphBody is a chain of variables and comparisons.
func graphBody(name string, nodes int) []byte {
	all := make([]node, nodes)
	for i := range all {
		all[i] = node{Name: fmt.Sprintf("n%d", i), Type: "VARIABLE", Configuration: map[string]any{"value": map[string]any{"type": "string", "value": "x"}}, Dependencies: []string{}}
		if i >= 2 && i%2 == 0 {
			sources := []string{fmt.Sprintf("n%d", i-1), fmt.Sprintf("n%d", i-2)}
			all[i].Type, all[i].Configuration, all[i].Dependencies = "COMPARE", map[string]any{"sources": sources}, sources
		}
		all[i].IsOutput = i == nodes-1
	}
	return workflowBody(name, all...)
}

// runAll starts a number of runs with all clients and waits until they have
// ended.
func (b *bench) runAll(runs int) error {
	clients, err := dialAll(b.clients, b.server.address)
	if err != nil {
		return err
	}
	defer closeAll(clients)
	var group errgroup.Group
	for n, c := range clients {
		group.Go(func() error {
			var started []int64
			for i := n; i < runs; i += len(clients) {
				id, err := startRun(c, "bench%20hundred")
				if err != nil {
					return err
				}
				started = append(started, id)
			}
			return awaitRuns(c, started)
		})
	}
	return group.Wait()
}

// startRun starts a run of the workflow with a name, as it is in a path.
func startRun(c *client, workflow string) (int64, error) {
	answer, err := c.expect(http.StatusCreated, "POST", "/workflows/"+workflow+"/run", []byte("{}"))
	if err != nil {
		return 0, err
	}
	var started struct {
		ID int64 `json:"workflow_version_execution_id"`
	}
	return started.ID, json.Unmarshal(answer, &started)
}

// awaitRuns polls runs until all have ended.
func awaitRuns(c *client, runs []int64) error {
	end := time.Now().Add(requestTimeout)
	for _, id := range runs {
		path := "/workflow-version-execution-results?workflow_version_execution_id=" + strconv.FormatInt(id, 10)
		for {
			status, answer, err := c.do("GET", path, nil)
			if err != nil {
				return err
			}
			if status == http.StatusOK {
				break
			}
			if status != http.StatusAccepted || time.Now().After(end) {
				return fmt.Errorf("run %d: status %d: %.200s", id, status, answer)
			}
			time.Sleep(5 * time.Millisecond) // polling must not affect the measurement
		}
	}
	return nil
}

// cpu returns the CPU time of the process.
func (p *process) cpu() (time.Duration, error) { return cpuOfProcess(p.cmd.Process.Pid) }

func cpuOfProcess(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("read CPU time: %w", err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("read CPU time: %q", text)
	}
	total := time.Duration(0)
	for _, field := range fields[11:13] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read CPU time: %w", err)
		}
		total += time.Duration(ticks) * (time.Second / 100)
	}
	return total, nil
}
