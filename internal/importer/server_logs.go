package importer

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxSeen is the number of request logs whose ids are remembered: those of a page and of
// the one before. New logs with old times move others to the next page.
const maxSeen = 2 * remote.LogsPerPage

// requests imports the next page of request logs, as a batch of a file, and reports
// whether there are more.
func (r *serverRun) requests(ctx context.Context) (more bool, err error) {
	at := r.Now.Run.Server
	page, err := r.client.Logs(ctx, r.Now.Options.Server.Since, r.plan.Before, at.Page+1, func(id string) bool { return slices.Contains(at.Seen, id) })
	if err != nil {
		return false, refusedWhole(err)
	}
	b := &batch{ended: page.Last}
	next := r.copied()
	if page.Whole {
		next.Run.Server.Page++
	}
	for n, l := range page.Logs {
		next.Run.Server.Seen = append(next.Run.Server.Seen, l.ID)
		b.add(r.rowOf(next.Run.Rows+int64(n)+1, l))
	}
	next.Run.Server.Seen = next.Run.Server.Seen[max(0, len(next.Run.Server.Seen)-maxSeen):]
	next.Run.Commits++
	logs, err := r.write(b, &next.Run)
	if err != nil {
		return false, err
	}
	next.Run.count(b, logs)
	next.Run.Bytes += b.read
	var report []byte
	for _, e := range b.report {
		report = appendEntry(report, e)
	}
	if len(report) > 0 {
		next.Run.Reports++
	}
	return !b.ended, r.save(next, RunReport, next.Run.Reports, report)
}

// rowOf returns the row of a request log.
func (r *serverRun) rowOf(number int64, l remote.Log) source.Row {
	switch {
	case l.Gone:
		return source.Row{Number: number, ID: l.ID, Ignored: "The server does not have it any more"}
	case l.TooLong:
		return source.Row{Number: number, ID: l.ID, Refused: fmt.Sprintf("It is larger than %d bytes", remote.MaxLog)}
	default:
		return source.ReadRow(number, r.renumbered(l.Text))
	}
}

// renumbered returns a request log that names the version of its prompt by the number
// that it has here.
func (r *serverRun) renumbered(text []byte) []byte {
	if len(r.links.Versions) == 0 {
		return text
	}
	log, err := jsontree.Parse(text)
	if err != nil {
		return text // for the checks to refuse
	}
	there, ok := log.Get("prompt_version_number").Int()
	here := r.links.Versions[log.Get("prompt_name").Str()][there]
	if !ok || here == 0 {
		return text
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Members(log, "prompt_version_number")
		w.Key("prompt_version_number").Int(here)
	})
	return w.Bytes()
}
