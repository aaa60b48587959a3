package reqlog

import "slices"

// Source is where a log came from.
type Source string

// The sources.
const (
	SourceAPI        Source = "api"        // a client that logs its requests
	SourceOTLP       Source = "otlp"       // a span of an OpenTelemetry exporter
	SourcePlayground Source = "playground" // a call of the playground, or of a dry run of a workflow
	SourceWorkflow   Source = "workflow"   // a run of a workflow
	SourceEvaluation Source = "evaluation" // a run of an evaluation
	SourceImport     Source = "import"     // a row of an imported file
)

var Sources = []string{
	string(SourceAPI), string(SourceOTLP), string(SourcePlayground), string(SourceWorkflow), string(SourceEvaluation), string(SourceImport),
}

// taggedSources are the sources of logs from before sources were recorded, by the
// tags that the program gives to its own calls.
var taggedSources = []struct {
	tag    string
	source Source
}{{"playground", SourcePlayground}, {"evaluate", SourceEvaluation}, {"workflow", SourceWorkflow}}

// Origin returns the source of the log. For a log from before sources were recorded,
// it is that of its tags, or else the API.
func (l *Log) Origin() Source {
	if l.Source != "" {
		return l.Source
	}
	for _, t := range taggedSources {
		if slices.Contains(l.Tags, t.tag) {
			return t.source
		}
	}
	return SourceAPI
}
