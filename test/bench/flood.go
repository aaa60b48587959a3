package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"
)

// floodEnv says that this program was started to send a flood. It is a process of
// its own, because its many goroutines would delay those that measure.
const floodEnv = "BENCH_FLOOD"

// flood is a call that is repeated over many connections.
type flood struct {
	Address, Key string
	Connections  int
	Method, Path string
	Body         []byte
}

// begin starts to send the flood and returns what ends it.
func (f flood) begin() (end func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env, cmd.Stdin, cmd.Stderr = append(os.Environ(), floodEnv+"=1"), bytes.NewReader(text), os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a flood: %w", err)
	}
	return func() error {
		err := cmd.Process.Kill()
		if exit := (*exec.ExitError)(nil); !errors.As(cmd.Wait(), &exit) || exit.ExitCode() >= 0 {
			err = errors.Join(err, errors.New("the flood ended by itself"))
		}
		return err
	}, nil
}

// sendFlood sends the flood that is described on the standard input until the
// process is killed.
func sendFlood() error {
	var f flood
	if err := json.NewDecoder(os.Stdin).Decode(&f); err != nil {
		return fmt.Errorf("read the flood: %w", err)
	}
	var connections sync.WaitGroup
	for range f.Connections {
		connections.Go(f.repeat)
	}
	connections.Wait()
	return nil
}

// repeat repeats the call. Its results do not matter: it may be refused, and its
// connection closed.
func (f flood) repeat() {
	for {
		c, err := dial(f.Address, f.Key)
		if err != nil {
			time.Sleep(neighbourPause)
			continue
		}
		for err == nil {
			var status int
			if status, _, err = c.do(f.Method, f.Path, f.Body); status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
				time.Sleep(neighbourPause)
			}
		}
		c.close()
	}
}
