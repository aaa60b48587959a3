package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// webMeasures is the output of the browser script.
type webMeasures struct {
	Paint        float64   `json:"paint"`
	Rows         float64   `json:"rows"`
	Scripts      float64   `json:"scripts"`
	Filters      []float64 `json:"filters"`
	Frames       float64   `json:"frames"`
	Blank        float64   `json:"blank"`
	LongestFrame float64   `json:"longestFrame"`
}

// measureWebApp opens the Requests page in Chromium with all logs of the run
// or, with -only, with as many demo logs.
func (b *bench) measureWebApp() error {
	if err := b.server.stop(); err != nil {
		return err
	}
	data := b.path("data")
	if b.next == 0 {
		if _, err := b.command("demo", "--registry=false", "--n", strconv.Itoa(b.logs), "--data", data); err != nil {
			return err
		}
	}
	link, err := b.command("user", "link", "owner@localhost", "--data", data)
	if err != nil {
		return err
	}
	_, token, found := strings.Cut(link, "#token=")
	if !found {
		return fmt.Errorf("no token in %q", link)
	}
	if b.server, err = startProgram(b.program, data); err != nil {
		return err
	}
	cmd := exec.Command("node", "test/e2e/web/speed.mjs")
	cmd.Env = append(os.Environ(), "WEB_ADDRESS=http://"+b.server.address, "WEB_TOKEN="+strings.TrimSpace(token))
	printed, err := output(cmd)
	if err != nil {
		return err
	}
	var measured webMeasures
	if err := json.Unmarshal([]byte(printed), &measured); err != nil {
		return fmt.Errorf("parse the output of the browser script: %w", err)
	}
	b.reportWebApp(measured)
	return nil
}

func (b *bench) reportWebApp(m webMeasures) {
	times := make([]time.Duration, len(m.Filters))
	for i, ms := range m.Filters {
		times[i] = time.Duration(ms * float64(time.Millisecond))
	}
	b.report.below("web app: first contentful paint of Requests", quantity{m.Paint, "ms"}, 1000)
	b.report.info("web app: first rows of Requests", quantity{m.Rows, "ms"})
	b.report.info("web app: filter change to rows, median", milliseconds(median(times)))
	b.report.below("web app: filter change to rows, p95", milliseconds(percentile(times, 0.95)), 300)
	b.report.below("web app: frames of a scroll with a blank row, of "+strconv.Itoa(int(m.Frames)), quantity{m.Blank, "frames"}, 0)
	b.report.info("web app: longest frame of a scroll", quantity{m.LongestFrame, "ms"})
	b.report.below("web app: JavaScript of the first page, compressed", quantity{m.Scripts / 1000, "KB"}, 250)
}

// command runs a command of the program and returns its output.
func (b *bench) command(args ...string) (string, error) {
	return output(exec.Command(b.program, args...))
}

func output(cmd *exec.Cmd) (string, error) {
	var printed, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.String())
	}
	return printed.String(), nil
}
