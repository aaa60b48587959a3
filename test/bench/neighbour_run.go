package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// measureRunNeighbours measures runs of one workspace while another one starts
// runs that compute for as long as they may.
func (b *bench) measureRunNeighbours() error {
	code := func(text string) node {
		return node{Name: "code", Type: "CODE_EXECUTION", Configuration: map[string]any{"language": "PYTHON", "code": text}, Dependencies: []string{}, IsOutput: true}
	}
	pattern := func(text, pattern string) []node {
		return []node{
			{Name: "text", Type: "VARIABLE", Configuration: map[string]any{"value": map[string]any{"type": "string", "value": text}}, Dependencies: []string{}},
			{Name: "found", Type: "REGEX", Configuration: map[string]any{"source": "text", "regex_pattern": pattern}, Dependencies: []string{"text"}, IsOutput: true},
		}
	}
	for _, one := range []struct {
		name            string
		attacker, other []node
	}{
		{"runs with endless code, another's run with code", []node{code("while True: pass")}, []node{code("return 1")}},
		{"runs with patterns on 1 MB, another's run with a pattern", pattern(strings.Repeat("a", 1<<20), "(a|b|ab)*(c{1,100}){1,5}$"), pattern("abc", "b+")},
	} {
		if err := b.measureRunAttack(one.name, one.attacker, one.other); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}

// measureRunAttack measures in an installation of its own, because runs that wait
// outlive the attack.
func (b *bench) measureRunAttack(name string, attacking, other []node) (err error) {
	data := "neighbours of " + strings.Fields(name)[2]
	server, err := startProgram(b.program, b.path(data))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	attacker, err := b.newWorkspace(data, "attacker")
	if err != nil {
		return err
	}
	for key, nodes := range map[string][]node{attacker: attacking, apiKey: other} {
		c, err := dial(server.address, key)
		if err != nil {
			return err
		}
		_, err = c.expect(http.StatusCreated, http.MethodPost, "/rest/workflows", workflowBody("run", nodes...))
		c.close()
		if err != nil {
			return err
		}
	}
	return b.measureAttack(server, attacker, attack{
		name: name, connections: 16, key: apiKey,
		load: call{http.MethodPost, "/workflows/run/run", []byte("{}"), http.StatusCreated},
		probe: func(c *client) error {
			id, err := startRun(c, "run")
			if err != nil {
				return err
			}
			return awaitRuns(c, []int64{id})
		},
	})
}
