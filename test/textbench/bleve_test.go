package textbench

import (
	"fmt"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	bledoc "github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"
	index "github.com/blevesearch/bleve_index_api"
)

// bleveEngine is bleve with the index type scorch, without frequencies, norms,
// positions and stored texts.
type bleveEngine struct {
	index bleve.Index
	batch *bleve.Batch
}

func openBleve(dir string, durable bool) (engine, error) {
	ix, err := bleve.NewUsing(dir+"/bleve", bleve.NewIndexMapping(), scorch.Name, scorch.Name, map[string]any{"unsafe_batch": !durable})
	if err != nil {
		return nil, err
	}
	return &bleveEngine{index: ix, batch: ix.NewBatch()}, nil
}

func (e *bleveEngine) add(id int64, doc document) error {
	d := bledoc.NewDocument(fmt.Sprintf("%010d", id))
	d.AddField(bledoc.NewTextFieldCustom("text", nil, []byte(doc.text()), index.IndexField|index.SkipFreqNorm, bleveWords{}))
	return e.batch.IndexAdvanced(d)
}

// bleveWords analyzes texts.
type bleveWords struct{}

func (bleveWords) Analyze(text []byte) analysis.TokenStream {
	words := distinct(string(text))
	tokens := make([]analysis.Token, len(words))
	stream := make(analysis.TokenStream, len(words))
	for i, word := range words {
		tokens[i] = analysis.Token{Term: []byte(word), Position: i + 1}
		stream[i] = &tokens[i]
	}
	return stream
}

func (e *bleveEngine) commit() error {
	err := e.index.Batch(e.batch)
	e.batch.Reset()
	return err
}

func (e *bleveEngine) search(q string) (result, error) {
	var words []query.Query
	for _, word := range distinct(q) {
		prefix := bleve.NewPrefixQuery(word)
		prefix.SetField("text")
		if typos(word) == 0 {
			words = append(words, prefix)
			continue
		}
		fuzzy := bleve.NewFuzzyQuery(word)
		fuzzy.SetField("text")
		fuzzy.SetFuzziness(typos(word))
		fuzzy.SetPrefix(1)
		words = append(words, bleve.NewDisjunctionQuery(prefix, fuzzy))
	}
	request := bleve.NewSearchRequestOptions(bleve.NewConjunctionQuery(words...), newestIDs, 0, false)
	request.Score = bleve.ScoreNone
	request.SortBy([]string{"-_id"})
	answer, err := e.index.Search(request)
	if err != nil {
		return result{}, err
	}
	found := result{count: int(answer.Total)}
	for _, hit := range answer.Hits {
		id, err := strconv.ParseInt(hit.ID, 10, 64)
		if err != nil {
			return result{}, err
		}
		found.newest = append(found.newest, id)
	}
	return found, nil
}

func (e *bleveEngine) close() error { return e.index.Close() }
