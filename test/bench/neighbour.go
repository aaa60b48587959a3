package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// neighbourTime is the duration of one measurement, idle and under attack.
const neighbourTime = 5 * time.Second

// neighbourPause is the pause between two calls of the workspace that is
// measured.
const neighbourPause = 10 * time.Millisecond

// attack is the load of one workspace and what another one does in the meantime.
type attack struct {
	name        string
	connections int
	load        call
	probe       func(*client) error
	// key is the key of the probe.
	key string
}

// make makes a call that must succeed.
func (one call) make(c *client) error {
	_, err := c.expect(one.status, one.method, one.path, one.body)
	return err
}

// measureNeighbours compares the response times of one workspace while it is
// alone with those while another one sends as much as it can.
func (b *bench) measureNeighbours() error {
	attacker, err := b.newWorkspace("data", "attacker")
	if err != nil {
		return err
	}
	// Logs go to a workspace of their own: those of the default one are counted
	// after the restart.
	logger, err := b.newWorkspace("data", "logger")
	if err != nil {
		return err
	}
	if err := b.publishNeighbours(attacker); err != nil {
		return err
	}
	for _, a := range attacks(logger) {
		if err := b.measureAttack(b.server, attacker, a); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return b.measureRunNeighbours()
}

func attacks(logger string) []attack {
	log := []byte(`{"provider":"openai","model":"gpt-4o","input":{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"` +
		strings.Repeat("Where is my order? ", 60) + `"}]}]},"output":{"type":"chat","messages":[{"role":"assistant","content":[{"type":"text","text":"` +
		strings.Repeat("It is on its way. ", 60) + `"}]}]},"request_start_time":"2026-01-01T12:00:00Z","request_end_time":"2026-01-01T12:00:01Z"}`)
	batch := []byte(`{"requests":[` + strings.Repeat(string(log)+",", 999) + string(log) + `]}`)
	render := call{http.MethodPost, "/prompt-templates/greeting", []byte(`{"input_variables":{"name":"Ann"}}`), http.StatusOK}
	loops := call{http.MethodPost, "/prompt-templates/loops", []byte(`{"input_variables":{}}`), http.StatusOK}
	logOne := call{http.MethodPost, "/log-request", log, http.StatusCreated}
	search := call{http.MethodPost, searchPath, []byte(`{}`), http.StatusOK}
	return []attack{
		{"200 connections with batches of 1,000 logs, another's log", 200, call{http.MethodPost, "/log-requests", batch, http.StatusCreated}, logOne.make, logger},
		{"64 analytics, another's search", 64, call{http.MethodPost, analyticsPath, []byte(`{}`), http.StatusOK}, search.make, apiKey},
		{"64 endless templates, another's template", 64, loops, render.make, apiKey},
		{"64 endless templates, another's log", 64, loops, logOne.make, logger},
	}
}

// newWorkspace creates a workspace in a data folder and returns a key for it.
func (b *bench) newWorkspace(data, name string) (key string, err error) {
	for _, args := range [][]string{
		{"workspace", "create", name},
		{"key", "create", "--workspace", name, "--name", name},
	} {
		out, err := exec.Command(b.program, append(args, "--data", b.path(data))...).Output()
		if err != nil {
			return "", fmt.Errorf("promptuary %s: %w", strings.Join(args, " "), err)
		}
		key = string(bytes.TrimSpace(out))
	}
	return key, nil
}

// publishNeighbours publishes the template of each workspace.
func (b *bench) publishNeighbours(attacker string) error {
	loops := strings.Repeat("{% for i in range(100000) %}", 3) + strings.Repeat("{% endfor %}", 3)
	for key, prompt := range map[string][2]string{apiKey: {"greeting", "Hello {{ name }}"}, attacker: {"loops", loops}} {
		c, err := dial(b.server.address, key)
		if err != nil {
			return err
		}
		body := fmt.Sprintf(`{"prompt_template":{"prompt_name":%q},"prompt_version":{"prompt_template":{"type":"completion",`+
			`"template_format":"jinja2","content":[{"type":"text","text":%q}]}}}`, prompt[0], prompt[1])
		_, err = c.expect(http.StatusCreated, http.MethodPost, "/rest/prompt-templates", []byte(body))
		c.close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) measureAttack(server *server, attacker string, a attack) error {
	idle, err := probe(server, a)
	if err != nil {
		return err
	}
	end, err := flood{server.address, attacker, a.connections, a.load.method, a.load.path, a.load.body}.begin()
	if err != nil {
		return err
	}
	time.Sleep(time.Second)
	busy, err := probe(server, a)
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	b.report.info(a.name+", median", milliseconds(median(busy)))
	b.report.atMost(a.name+", p99 against idle", milliseconds(percentile(busy, 0.99)), milliseconds(percentile(idle, 0.99)), 5)
	return nil
}

// probe repeats the probe and returns its times. A call that is refused is an
// error.
func probe(server *server, a attack) ([]time.Duration, error) {
	c, err := dial(server.address, a.key)
	if err != nil {
		return nil, err
	}
	defer c.close()
	var times []time.Duration
	for end := time.Now().Add(neighbourTime); time.Now().Before(end); time.Sleep(neighbourPause) {
		began := time.Now()
		if err := a.probe(c); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	return times, nil
}
