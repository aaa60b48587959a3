package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/promptuary/promptuary/internal/config"
)

// Environment variables that replace flags of commands that use a running server.
const (
	serverEnv = config.ServerEnv
	keyEnv    = "PROMPTUARY_API_KEY"
)

// lowScore is the exit status for a score below the minimum. Errors have another
// one, so that a pipeline can tell a worse prompt from a server that is away.
const lowScore = 3

const defaultServer = "http://localhost:8080"

func newEvalCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "eval", Short: "Run evaluations on a running server"}
	cmd.AddCommand(newEvalRunCommand())
	return cmd
}

// evalRun is a run of an evaluation as the flags describe it.
type evalRun struct {
	server, key string
	evaluation  string
	name        string
	// failUnder is the minimum score, nil for none.
	failUnder *float64
	// pollEvery is the interval between status requests.
	pollEvery time.Duration
	out       io.Writer
	// bar returns a progress bar for a number of cells.
	bar func(cells int64) *progressbar.ProgressBar
}

func newEvalRunCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run NAME",
		Short: "Run an evaluation and fail if its score is too low",
		Long: "Runs the evaluation with this name or id on a running server, waits for it to finish, and prints the score.\n" +
			"Use it as a step in a pipeline: it exits with 0 if the run has a score, 3 if the score is lower than --fail-under,\n" +
			"and 1 on any error, also if there is no score. Interrupting the command cancels the run.",
		Args: cobra.ExactArgs(1),
	}
	run := evalRun{pollEvery: 500 * time.Millisecond, bar: progressBar}
	bound := cmd.Flags().Float64("fail-under", 0, "minimum score; columns of true and false score from 0 to 100")
	cmd.Flags().StringVar(&run.name, "name", "", "name of the run (default: the current time)")
	cmd.Flags().StringVar(&run.server, "server", "", "address of the server ("+serverEnv+", default "+defaultServer+")")
	cmd.Flags().StringVar(&run.key, "key", "", "API key ("+keyEnv+")")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		run.evaluation, run.out = args[0], cmd.OutOrStdout()
		if cmd.Flags().Changed("fail-under") {
			run.failUnder = bound
		}
		run.complete(os.Getenv, time.Now())
		if run.key == "" {
			return errNoKey
		}
		return run.do(cmd.Context())
	}
	return cmd
}

// errNoKey is returned without an API key.
var errNoKey = errors.New("an API key is required: use --key or set " + keyEnv)

// target returns the server and the key that flags name, or the environment.
func target(server, key string, getenv func(string) string) (address, secret string) {
	return serverAddress(server, getenv), cmp.Or(key, getenv(keyEnv))
}

// complete sets defaults for flags that were not given.
func (r *evalRun) complete(getenv func(string) string, now time.Time) {
	r.server, r.key = target(r.server, r.key, getenv)
	if r.name == "" {
		r.name = "promptuary eval run " + now.UTC().Format(time.RFC3339)
	}
}

// serverAddress returns the address of a flag, or the default.
func serverAddress(flag string, getenv func(string) string) string {
	return strings.TrimRight(cmp.Or(flag, getenv(serverEnv), defaultServer), "/")
}

// progressBar returns a progress bar that is silent unless stderr is a
// terminal.
func progressBar(cells int64) *progressbar.ProgressBar {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return progressbar.DefaultSilent(cells)
	}
	return progressbar.Default(cells, "cells")
}

// do runs the evaluation and checks its score.
func (r *evalRun) do(ctx context.Context) error {
	server := &evalServer{address: r.server, key: r.key}
	id, err := server.find(ctx, r.evaluation)
	if err != nil {
		return err
	}
	run, err := server.start(ctx, id, r.name)
	if err != nil {
		return err
	}
	report, err := r.wait(ctx, server, run)
	if err != nil {
		return errors.Join(err, server.cancel(run))
	}
	return r.judge(report)
}

// wait shows the progress of a run until it ends, also while it waits for people.
func (r *evalRun) wait(ctx context.Context, server *evalServer, run int64) (*evalReport, error) {
	ticker := time.NewTicker(r.pollEvery)
	defer ticker.Stop()
	var bar *progressbar.ProgressBar
	for {
		report, err := server.report(ctx, run)
		if err != nil {
			return nil, err
		}
		counts := report.Stats.Counts
		if bar == nil {
			bar = r.bar(counts.Completed + counts.Failed + counts.Queued + counts.Running + counts.Waiting)
		}
		if err := bar.Set64(counts.Completed + counts.Failed); err != nil {
			return nil, err
		}
		if report.Status == "COMPLETED" {
			return report, bar.Finish()
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// judge prints the outcome of a run and returns an error if the score is
// missing or too low.
func (r *evalRun) judge(report *evalReport) error {
	counts := report.Stats.Counts
	if _, err := fmt.Fprintf(r.out, "run %d: %d cells computed, %d failed\n", report.Report.ID, counts.Completed, counts.Failed); err != nil {
		return err
	}
	score := report.Report.Score
	switch {
	case report.Report.Failure != nil:
		return fmt.Errorf("cannot compute the score: %s", *report.Report.Failure)
	case score == nil || score.Overall == nil:
		return errors.New("the run has no score")
	}
	if _, err := fmt.Fprintf(r.out, "score %g\n", *score.Overall); err != nil {
		return err
	}
	if r.failUnder != nil && !(*score.Overall >= *r.failUnder) {
		return exitError{lowScore, fmt.Errorf("the score %g is below %g", *score.Overall, *r.failUnder)}
	}
	return nil
}
