package textbench

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/blugelabs/bluge"
	"github.com/blugelabs/bluge/analysis"
	"github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/search/aggregations"
)

// blugeEngine is bluge without positions and stored texts. Its batches are always
// durable.
type blugeEngine struct {
	writer *bluge.Writer
	config bluge.Config
	batch  *index.Batch
}

func openBluge(dir string, _ bool) (engine, error) {
	config := bluge.DefaultConfig(dir)
	writer, err := bluge.OpenWriter(config)
	return &blugeEngine{writer: writer, config: config, batch: bluge.NewBatch()}, err
}

func (e *blugeEngine) add(id int64, doc document) error {
	d := bluge.NewDocument(fmt.Sprintf("%010d", id))
	d.AddField(bluge.NewTextField("text", doc.text()).WithAnalyzer(blugeWords{}))
	e.batch.Insert(d)
	return nil
}

// blugeWords analyzes texts.
type blugeWords struct{}

func (blugeWords) Analyze(text []byte) analysis.TokenStream {
	words := distinct(string(text))
	tokens := make([]analysis.Token, len(words))
	stream := make(analysis.TokenStream, len(words))
	for i, word := range words {
		tokens[i] = analysis.Token{Term: []byte(word), PositionIncr: 1}
		stream[i] = &tokens[i]
	}
	return stream
}

func (e *blugeEngine) commit() error {
	err := e.writer.Batch(e.batch)
	e.batch.Reset()
	return err
}

func (e *blugeEngine) search(q string) (found result, err error) {
	all := bluge.NewBooleanQuery()
	for _, word := range distinct(q) {
		one := bluge.NewBooleanQuery().AddShould(bluge.NewPrefixQuery(word).SetField("text"))
		if n := typos(word); n > 0 {
			one.AddShould(bluge.NewFuzzyQuery(word).SetFuzziness(n).SetPrefix(1).SetField("text"))
		}
		all.AddMust(one)
	}
	request := bluge.NewTopNSearch(newestIDs, all).SetScore("none").SortBy([]string{"-_id"})
	request.AddAggregation("count", aggregations.CountMatches())
	reader, err := e.writer.Reader()
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	matches, err := reader.Search(context.Background(), request)
	if err != nil {
		return found, err
	}
	for match, err := matches.Next(); match != nil || err != nil; match, err = matches.Next() {
		if err != nil {
			return found, err
		}
		err = match.VisitStoredFields(func(field string, value []byte) bool {
			if id, err := strconv.ParseInt(string(value), 10, 64); err == nil && field == "_id" {
				found.newest = append(found.newest, id)
			}
			return true
		})
		if err != nil {
			return found, err
		}
	}
	found.count = int(matches.Aggregations().Count())
	return found, nil
}

func (e *blugeEngine) close() error { return e.writer.Close() }
