package pricing

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The list prices, with the columns of exported files and one more: the name
// under which the model is offered for calls. Several providers with the same
// prices share a row.
//
//go:embed prices.csv
var listPrices []byte

type listed struct {
	prices []Price
	// offered are the names of the models of each provider, in the order of the
	// file.
	offered map[string][]string
}

var list = sync.OnceValue(func() listed {
	all, err := readList(listPrices)
	if err != nil {
		panic(fmt.Sprintf("the list prices are invalid: %v", err)) // a test reads them
	}
	return all
})

func builtin() []Price { return list().prices }

// List returns the list prices that come with the program.
func List() []Price { return slices.Clone(builtin()) }

// Models returns the names of the models of a provider that generate text. It
// may have others.
func Models(provider string) []string { return slices.Clone(list().offered[provider]) }

// dateOnly is the format of dates in files.
const dateOnly = "2006-01-02"

func readList(text []byte) (listed, error) {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil {
		return listed{}, err
	}
	all := listed{offered: map[string][]string{}}
	for i, record := range records[1:] {
		content, err := readListed(record)
		if err != nil {
			return listed{}, fmt.Errorf("price %d: %w", i+1, err)
		}
		for name := range strings.FieldsSeq(record[0]) {
			content.Provider = name
			all.prices = append(all.prices, Price{Content: content, Source: Builtin})
			if offered := record[len(record)-1]; offered != "" && !slices.Contains(all.offered[name], offered) {
				all.offered[name] = append(all.offered[name], offered)
			}
		}
	}
	return all, nil
}

func readListed(record []string) (c Content, err error) {
	c.Model = record[1]
	if c.ValidFrom, err = time.Parse(dateOnly, record[2]); err != nil {
		return c, err
	}
	for i, name := range rateNames {
		if record[3+i] == "" {
			continue
		}
		rate, err := strconv.ParseFloat(record[3+i], 64)
		if err != nil {
			return c, err
		}
		c.set(name, rate)
	}
	return c, nil
}
