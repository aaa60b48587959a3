package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/redact"
)

func newRedactionCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "redaction", Short: "List, set and test the redaction rules of a workspace"}
	cmd.AddCommand(newRedactionListCommand(), newRedactionSetCommand(), newRedactionTestCommand())
	return cmd
}

// redactions returns the service of redaction rules. It hashes nothing: only servers
// have the key.
func (m *manager) redactions() *redact.Service {
	return redact.NewService(m.catalog.Redactions, nil, nil)
}

func newRedactionListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the redaction rules of a workspace in their order", Args: cobra.NoArgs}
	asJSON := cmd.Flags().Bool("json", false, "print them as JSON, which redaction set reads")
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, _ []string) error {
		settings, _, err := m.redactions().Get(ctx, w.ID)
		if err != nil {
			return err
		}
		if *asJSON {
			text, err := json.MarshalIndent(fileOf(settings.Rules), "", "  ")
			if err != nil {
				return err
			}
			return m.say("%s", text)
		}
		rows := [][]string{{"NAME", "KIND", "FINDS", "ACTION", "ENABLED"}}
		for _, r := range settings.Rules {
			rows = append(rows, []string{r.Name, r.Kind(), string(r.Detector) + r.Pattern + r.Path, string(r.Action), strconv.FormatBool(!r.Disabled)})
		}
		return m.table(rows)
	})
	return cmd
}

func newRedactionSetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "set FILE", Args: cobra.ExactArgs(1), Short: "Replace the redaction rules of a workspace",
		Long: "Replaces all redaction rules of a workspace with those of a JSON file, as PUT /api/public/v2/redaction takes them. FILE - reads the standard input.\n" +
			"Running servers follow within a second; what is stored stays as it is.\n\n" +
			"  {\"rules\": [{\"name\": \"mail\", \"detector\": \"email\", \"action\": \"hash\"}, {\"name\": \"reference\", \"pattern\": \"REF-[0-9]+\", \"action\": \"mask\"}]}",
	}
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		rules, err := readRules(args[0], cmd.InOrStdin())
		if err != nil {
			return err
		}
		if _, _, err := m.redactions().Set(ctx, w.ID, rules, nil); err != nil {
			return err
		}
		return m.say("workspace %s has %d redaction rules", w.Name, len(rules))
	})
	return cmd
}

func newRedactionTestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "test TEXT", Args: cobra.ExactArgs(1), Short: "Show what the redaction rules replace in a text",
		Long: "Prints a text as it would be stored, and what each rule has replaced. TEXT - reads the standard input. Nothing is stored.\n" +
			"Hashes are shown as three dots. Rules with a path apply to values of request logs and spans; --path says which value the text is.",
	}
	file := cmd.Flags().String("rules", "", "test the rules of this JSON file instead of those that are set")
	path := cmd.Flags().String("path", "", "the value that the text is, such as metadata.customer.name")
	manageWorkspace(cmd, func(ctx context.Context, m *manager, w access.Workspace, args []string) error {
		rules, err := m.rulesToTest(ctx, w.ID, *file)
		if err != nil {
			return err
		}
		text := args[0]
		if text == "-" {
			if *file == "-" {
				return errors.New("only one of the text and the rules can come from the standard input")
			}
			read, err := io.ReadAll(cmd.InOrStdin())
			if err != nil {
				return err
			}
			text = string(read)
		}
		return m.testRules(rules, text, *path)
	})
	return cmd
}

// rulesToTest returns the rules of a file, or those of the workspace if there is none.
func (m *manager) rulesToTest(ctx context.Context, workspace int64, file string) ([]redact.Rule, error) {
	if file == "" {
		settings, _, err := m.redactions().Get(ctx, workspace)
		return settings.Rules, err
	}
	rules, err := readRules(file, m.out.InOrStdin())
	if err != nil {
		return nil, err
	}
	var problems fault.Problems
	redact.Check(rules, []any{"rules"}, &problems)
	return rules, problems.Err()
}

// testRules prints what rules make of a text.
func (m *manager) testRules(rules []redact.Rule, text, path string) error {
	shown := append([]redact.Rule{}, rules...)
	for i := range shown {
		if shown[i].Action == redact.Hash { // the key of the hashes belongs to the servers
			shown[i].Name, shown[i].Action = shown[i].Name+":…", redact.Mask
		}
	}
	compiled, err := redact.Compile(shown, nil)
	if err != nil {
		return err
	}
	replaced := make([]int, len(rules))
	var keys []string
	if path != "" {
		keys = strings.Split(path, ".")
	}
	stored, _ := compiled.NewPass(func(r redact.Replacement) { replaced[r.Rule]++ }).Text(text, keys...)
	if err := m.say("%s", stored); err != nil {
		return err
	}
	rows := [][]string{{"RULE", "REPLACED"}}
	for i, r := range rules {
		rows = append(rows, []string{r.Name, strconv.Itoa(replaced[i])})
	}
	return m.table(rows)
}

// redactionFile has rules in the form of the API.
type redactionFile struct {
	Rules []redactionRule `json:"rules"`
}

type redactionRule struct {
	Name     string          `json:"name"`
	Detector redact.Detector `json:"detector,omitempty"`
	Pattern  string          `json:"pattern,omitempty"`
	Path     string          `json:"path,omitempty"`
	Action   redact.Action   `json:"action"`
	Enabled  *bool           `json:"enabled,omitempty"`
}

func fileOf(rules []redact.Rule) redactionFile {
	file := redactionFile{Rules: make([]redactionRule, len(rules))}
	for i, r := range rules {
		file.Rules[i] = redactionRule{r.Name, r.Detector, r.Pattern, r.Path, r.Action, new(!r.Disabled)}
	}
	return file
}

// readRules reads the rules of a file. A misspelt member would make a rule that
// finds less than its author believes.
func readRules(name string, input io.Reader) ([]redact.Rule, error) {
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(input)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var file redactionFile
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("the rules are not valid: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the rules are not valid: there is more after them")
	}
	if file.Rules == nil {
		return nil, errors.New(`the rules are not valid: there is no member "rules"`)
	}
	rules := make([]redact.Rule, len(file.Rules))
	for i, r := range file.Rules {
		rules[i] = redact.Rule{Name: r.Name, Detector: r.Detector, Pattern: r.Pattern, Path: r.Path, Action: r.Action, Disabled: r.Enabled != nil && !*r.Enabled}
	}
	return rules, nil
}
