package main

import (
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/redact"
)

// redactedLogs is the number of generated logs that are read with all detectors.
const redactedLogs = 2000

// measureRedaction reads generated logs with all built-in detectors, as a workspace
// with these rules does when it receives them. They are parsed before.
func (b *bench) measureRedaction() error {
	var list []redact.Rule
	for _, detector := range redact.Detectors {
		list = append(list, redact.Rule{Name: string(detector), Detector: detector, Action: redact.Mask})
	}
	rules, err := redact.Compile(list, []byte("a key for the benchmark"))
	if err != nil {
		return err
	}
	trees := make([]jsontree.Value, redactedLogs)
	size := 0
	for i := range trees {
		body := b.gen.Append(nil, i)
		if trees[i], err = jsontree.Parse(body); err != nil {
			return fmt.Errorf("parse a generated body: %w", err)
		}
		size += len(body)
	}
	start := time.Now()
	for _, tree := range trees {
		rules.NewPass(nil).Value(tree)
	}
	each := float64(time.Since(start).Nanoseconds()) / 1000 / redactedLogs
	b.report.below(fmt.Sprintf("redaction of a log of %d bytes, all detectors", size/redactedLogs), quantity{each, "µs"}, 15)
	return nil
}
