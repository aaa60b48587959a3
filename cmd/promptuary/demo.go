package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/demo"
	"github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/prompt/template"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func newDemoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Fill the default workspace with realistic request logs and a registry",
		Long: "Fills the default workspace with realistic request logs spread over the last 30 days, and with templates, tools,\n" +
			"skills, workflows, datasets and evaluations that a team could have made. Running it again adds logs only.\n" +
			"The same seed and end give the same logs. The server must not be running on the data folder.",
		Args: cobra.NoArgs,
	}
	load := addOptions(cmd)
	count := cmd.Flags().Int("n", 50_000, "how many logs")
	seed := cmd.Flags().Uint64("seed", 1, "what the logs are made from")
	end := cmd.Flags().String("end", "", "when the 30 days end, as 2026-01-31T00:00:00Z (default now)")
	withRegistry := cmd.Flags().Bool("registry", true, "also make templates with versions, tools, skills, workflows, datasets, evaluations, people and keys")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := load()
		if err != nil {
			return err
		}
		if *count < 1 {
			return errors.New("option --n must be at least 1")
		}
		until := time.Now()
		if *end != "" {
			if until, err = time.Parse(time.RFC3339, *end); err != nil {
				return errors.New("option --end must be a time such as 2026-01-31T00:00:00Z")
			}
		}
		a, err := app.Open(cmd.Context(), cfg, newLogger(cfg), programVersion())
		if err != nil {
			return err
		}
		ctx := access.WithCaller(cmd.Context(), access.CommandLine())
		logs := demo.Config{Seed: *seed, Logs: *count, End: until, Linked: true}
		if *withRegistry {
			err = fillRegistry(ctx, a, logs)
		} else {
			err = fillLogs(ctx, a, logs, noFolder)
		}
		if err = errors.Join(err, a.Close(context.WithoutCancel(cmd.Context()))); err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		fmt.Fprintf(out, "The demo is there, with %d logs. Look at it with: promptuary serve\n", *count)
		a.HandOver(out)
		return nil
	}
	return cmd
}

// fillRegistry makes the registry around the logs: templates have their
// versions before logs name them, and a dataset is made of logs.
func fillRegistry(ctx context.Context, a *app.App, logs demo.Config) error {
	filler := registry.New(a.DemoServices(), registry.Config{Workspace: a.Workspace(), Seed: logs.Seed, Now: time.Now()})
	if err := filler.Publish(ctx); err != nil {
		return fmt.Errorf("make the registry: %w", err)
	}
	logs.Links = registry.Links()
	if err := fillLogs(ctx, a, logs, filler.FolderID); err != nil {
		return err
	}
	if err := filler.Evaluate(ctx); err != nil {
		return fmt.Errorf("make the registry: %w", err)
	}
	return nil
}

func noFolder(string) *int64 { return nil }

// fillLogs adds logs and the templates that they name.
func fillLogs(ctx context.Context, a *app.App, logs demo.Config, folderOf func(team string) *int64) error {
	if err := publish(ctx, a, folderOf); err != nil {
		return err
	}
	return fill(ctx, a, demo.New(logs), logs.Logs)
}

// publish adds the templates that the logs are made from, unless they exist.
func publish(ctx context.Context, a *app.App, folderOf func(team string) *int64) error {
	for _, t := range demo.Templates() {
		known, err := a.Prompts().IDs(ctx, a.Workspace(), []string{t.Name})
		if err != nil {
			return err
		}
		if len(known) > 0 {
			continue
		}
		chat, err := jsontree.Parse([]byte(t.Chat))
		if err != nil {
			return fmt.Errorf("generated template: %w", err)
		}
		_, err = a.Prompts().Publish(ctx, a.Workspace(), prompt.Publication{
			Name: t.Name, FolderID: folderOf(t.Team),
			Content: prompt.Content{Template: template.Normalize(chat), Metadata: []byte(t.Metadata)},
			Release: prompt.Release{Labels: []string{demo.Label}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// demoBatch is how many logs are written at once.
const demoBatch = 1000

func fill(ctx context.Context, a *app.App, generator *demo.Generator, count int) error {
	bar := progressbar.DefaultSilent(int64(count)) // a bar would fill a log file
	if term.IsTerminal(int(os.Stderr.Fd())) {
		bar = progressbar.Default(int64(count), "logs")
	}
	for written := 0; written < count; {
		size := min(demoBatch, count-written)
		inputs := make([]*reqlog.LogInput, 0, size)
		for range size {
			in, err := decode(generator.Next())
			if err != nil {
				return fmt.Errorf("generated log: %w", err)
			}
			inputs = append(inputs, in)
		}
		outcomes, err := a.Logs().LogMany(ctx, a.Workspace(), inputs)
		if err != nil {
			return err
		}
		for _, outcome := range outcomes {
			if outcome.Err != nil {
				return outcome.Err
			}
		}
		written += size
		if err := bar.Set(written); err != nil {
			return err
		}
	}
	return nil
}

func decode(body []byte) (*reqlog.LogInput, error) {
	tree, err := jsontree.Parse(body)
	if err != nil {
		return nil, err
	}
	var problems fault.Problems
	in := reqlog.DecodeLog(tree, []any{"body"}, &problems)
	return in, problems.Err()
}
