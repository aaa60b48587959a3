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

// webMeasures is the output of the browser script of the Requests page.
type webMeasures struct {
	Paint   float64  `json:"paint"`
	Rows    float64  `json:"rows"`
	Scripts float64  `json:"scripts"`
	Filters webTimes `json:"filters"`
	scrollMeasures
}

// measureWebApp opens the Requests page in Chromium with all logs of the run
// or, with -only, with as many demo logs, and then the page of a trace.
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
	link, err := b.command("user", "link", webEmail, "--data", data)
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
	var measured webMeasures
	if err := b.browse("speed.mjs", &measured, "WEB_TOKEN="+strings.TrimSpace(token)); err != nil {
		return err
	}
	b.reportWebApp(measured)
	return b.measureTracePage()
}

// The account of the owner. The script of the Requests page sets the password.
const (
	webEmail    = "owner@localhost"
	webPassword = "as fast as it gets"
)

// browse runs a browser script with further environment variables, and decodes
// what it prints.
func (b *bench) browse(script string, into any, env ...string) error {
	cmd := exec.Command("node", "test/e2e/web/"+script)
	cmd.Env = append(os.Environ(), "WEB_ADDRESS=http://"+b.server.address, "WEB_EMAIL="+webEmail, "WEB_PASSWORD="+webPassword)
	cmd.Env = append(cmd.Env, env...)
	printed, err := output(cmd)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(printed), into); err != nil {
		return fmt.Errorf("parse the output of the browser script: %w", err)
	}
	return nil
}

// scrollMeasures is what scripts measure while they scroll.
type scrollMeasures struct {
	Frames       float64 `json:"frames"`
	Blank        float64 `json:"blank"`
	LongestFrame float64 `json:"longestFrame"`
}

// reportScroll reports a scroll, such as "a scroll through a trace".
func (b *bench) reportScroll(scroll string, m scrollMeasures) {
	b.report.below(fmt.Sprintf("web app: frames of %s with a blank row, of %.0f", scroll, m.Frames), quantity{m.Blank, "frames"}, 0)
	b.report.info("web app: longest frame of "+scroll, quantity{m.LongestFrame, "ms"})
}

// webTimes are times of a script, in milliseconds.
type webTimes []float64

func (t webTimes) durations() []time.Duration {
	times := make([]time.Duration, len(t))
	for i, ms := range t {
		times[i] = time.Duration(ms * float64(time.Millisecond))
	}
	return times
}

func (b *bench) reportWebApp(m webMeasures) {
	times := m.Filters.durations()
	b.report.below("web app: first contentful paint of Requests", quantity{m.Paint, "ms"}, 1000)
	b.report.info("web app: first rows of Requests", quantity{m.Rows, "ms"})
	b.report.info("web app: filter change to rows, median", milliseconds(median(times)))
	b.report.below("web app: filter change to rows, p95", milliseconds(percentile(times, 0.95)), 300)
	b.reportScroll("a scroll", m.scrollMeasures)
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
