package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/demo"
	demoregistry "github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func newDemoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Fill the default workspace with sample data",
		Long: "Fills the default workspace with realistic request logs from the last 30 days, and with prompts, tools, skills,\n" +
			"workflows, datasets and evaluations. Running it again adds only logs. The same seed and end produce the same\n" +
			"logs. Stop the server on the data folder first.",
		Args: cobra.NoArgs,
	}
	load := addOptions(cmd, demoOptions...)
	count := cmd.Flags().Int("n", 50_000, "number of request logs")
	seed := cmd.Flags().Uint64("seed", 1, "seed of the random generator")
	end := cmd.Flags().String("end", "", "end of the 30 days, such as 2026-01-31T00:00:00Z (default: now)")
	withRegistry := cmd.Flags().Bool("registry", true, "also create prompts, tools, skills, workflows, datasets, evaluations, users and keys")
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
		err = a.Admit(cmd.Context())
		if err == nil {
			err = fillWorkspace(ctx, a, logs, *withRegistry)
		}
		if err = errors.Join(err, a.Close(context.WithoutCancel(cmd.Context()))); err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		fmt.Fprintf(out, "Created sample data with %d request logs. Start the server with:\n\n  %s\n", *count, serveCommand(cmd, os.Args[0]))
		a.HandOver(out)
		return nil
	}
	return cmd
}

// passwordInURL matches the password of a URL, which may have several hosts.
var passwordInURL = regexp.MustCompile(`(://[^:/]*:).*@`)

// serveCommand returns the command that serves what a demo command has filled:
// with the options that were given, as a shell reads them, but without passwords.
func serveCommand(demo *cobra.Command, program string) string {
	words := []string{program, "serve"}
	demo.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "config" || slices.Contains(demoOptions, f.Name) {
			words = append(words, "--"+f.Name, passwordInURL.ReplaceAllString(f.Value.String(), "${1}…@"))
		}
	})
	for i, word := range words {
		if strings.Trim(word, plainInShell) != "" {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// plainInShell are the characters that need no quotes in a shell.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@,+="

func fillWorkspace(ctx context.Context, a *app.App, logs demo.Config, withRegistry bool) error {
	if withRegistry {
		return fillRegistry(ctx, a, logs)
	}
	return fillLogs(ctx, a, logs, noFolder)
}

// fillRegistry creates the registry and the logs. Prompts come before the logs
// that refer to them, datasets and evaluations after the logs.
func fillRegistry(ctx context.Context, a *app.App, logs demo.Config) error {
	filler := demoregistry.New(a.DemoServices(), demoregistry.Config{Workspace: a.Workspace(), Seed: logs.Seed, Now: time.Now()})
	if err := filler.Publish(ctx); err != nil {
		return fmt.Errorf("create the registry: %w", err)
	}
	logs.Links = demoregistry.Links()
	if err := fillLogs(ctx, a, logs, filler.FolderID); err != nil {
		return err
	}
	if err := filler.Evaluate(ctx); err != nil {
		return fmt.Errorf("create the registry: %w", err)
	}
	return nil
}

func noFolder(string) *int64 { return nil }

// fillLogs adds logs and the prompts that they refer to.
func fillLogs(ctx context.Context, a *app.App, logs demo.Config, folderOf func(team string) *int64) error {
	if err := publish(ctx, a, folderOf); err != nil {
		return err
	}
	return fill(ctx, a, demo.New(logs), logs.Logs)
}

// publish adds the prompts of the logs unless they exist.
func publish(ctx context.Context, a *app.App, folderOf func(team string) *int64) error {
	for _, t := range demo.Templates() {
		_, err := a.Prompts().Resolve(ctx, a.Workspace(), reqlog.PromptRef{Name: t.Name})
		if err == nil {
			continue
		}
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		_, err = a.Prompts().Publish(ctx, a.Workspace(), prompt.Publication{
			Name: t.Name, FolderID: folderOf(t.Team),
			Content: prompt.Content{Template: []byte(t.Chat), Metadata: []byte(t.Metadata)},
			Release: registry.Release{Labels: []string{demo.Label}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// demoBatch is the number of logs in a batch.
const demoBatch = 1000

func fill(ctx context.Context, a *app.App, generator *demo.Generator, count int) error {
	bar := progressbar.DefaultSilent(int64(count)) // a bar would clutter a log file
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
	in := reqlog.DecodeLog(tree, fault.In(), &problems)
	return in, problems.Err()
}
