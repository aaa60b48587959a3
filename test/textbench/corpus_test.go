package textbench

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"time"

	"github.com/promptuary/promptuary/internal/demo"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// searchCase is one of the searches of test/bench.
type searchCase struct{ name, q string }

func searchCases(gen *demo.Generator, n int) []searchCase {
	return []searchCase{
		{"rare word", demo.Rare.Word},
		{"identifier", gen.Identifier(n / 2)},
		{"misspelt word", "marizpan"},
		{"prefix", "marzipa"},
		{"prefix of many words", "subscr"},
		{"two words", demo.Frequent.Word + " " + demo.Occasional.Word},
		{"rare and common word", demo.Frequent.Word + " customer"},
		{"common word", "customer"},
	}
}

func newGenerator(n int) *demo.Generator {
	return demo.New(demo.Config{Seed: 1, Logs: n, End: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
}

// writeCorpus writes the texts of n logs to a file, so that neither generating them
// nor holding them in memory is measured.
func writeCorpus(path string, gen *demo.Generator, n int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	var body []byte
	for i := range n {
		body = gen.Append(body[:0], i)
		doc, err := decode(body)
		if err != nil {
			return err
		}
		for _, text := range []string{doc.input, doc.output} {
			if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(text)))); err != nil {
				return err
			}
			if _, err := w.WriteString(text); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// decode returns the texts of a log that the program would search.
func decode(body []byte) (document, error) {
	tree, err := jsontree.Parse(body)
	if err != nil {
		return document{}, err
	}
	var problems fault.Problems
	in := reqlog.DecodeLog(tree, []any{"body"}, &problems)
	if err := problems.Err(); err != nil {
		return document{}, err
	}
	in.Derive()
	return document{input: in.Log.Index.InputText, output: in.Log.Index.OutputText}, nil
}

// corpus reads the texts of a file one after the other.
type corpus struct{ r *bufio.Reader }

func (c corpus) next() (doc document, err error) {
	for _, text := range []*string{&doc.input, &doc.output} {
		size, err := binary.ReadUvarint(c.r)
		if err != nil {
			return doc, err
		}
		buf := make([]byte, size)
		if _, err := io.ReadFull(c.r, buf); err != nil {
			return doc, err
		}
		*text = string(buf)
	}
	return doc, nil
}
