package pricing

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// columns are the columns of a file with prices.
var columns = append([]string{"provider", "model", "valid_from"}, rateNames...)

// WriteCSV writes prices as a file that ReadCSV reads.
func WriteCSV(to io.Writer, prices []Price) error {
	writer := csv.NewWriter(to)
	if err := writer.Write(columns); err != nil {
		return err
	}
	for i := range prices {
		if err := writer.Write(record(&prices[i].Content)); err != nil {
			return err
		}
	}
	writer.Flush()
	return writer.Error()
}

func record(c *Content) []string {
	fields := []string{c.Provider, c.Model, c.ValidFrom.UTC().Format(time.RFC3339Nano)}
	for _, rate := range c.values() {
		text := ""
		if rate != nil {
			text = strconv.FormatFloat(*rate, 'f', -1, 64)
		}
		fields = append(fields, text)
	}
	return fields
}

// ReadCSV reads a file with prices. The first line names the columns, in any
// order; provider, model, input and output are required. The fault is Invalid if
// the text is not such a file or has more than MaxPrices lines.
func ReadCSV(text string) ([]Content, error) {
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	header, err := reader.Read()
	if err != nil {
		return nil, fileFault(err)
	}
	if err := checkHeader(header); err != nil {
		return nil, err
	}
	var all []Content
	for {
		fields, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fileFault(err)
		case len(all) == MaxPrices:
			return nil, invalid("the file has more than %d prices", MaxPrices)
		}
		content, err := readRecord(header, fields)
		if err != nil {
			line, _ := reader.FieldPos(0)
			return nil, invalid("line %d: %v", line, err)
		}
		all = append(all, content)
	}
}

func invalid(format string, args ...any) error {
	var problems fault.Problems
	problems.Report(fault.In("csv"), fault.Rulef("value_error", "Input should be a CSV file with prices: %s", fmt.Sprintf(format, args...)))
	return problems.Err()
}

func fileFault(err error) error {
	if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
		return invalid("line %d: %v", wrong.Line, wrong.Err)
	}
	return invalid("it is empty")
}

func checkHeader(header []string) error {
	for i, name := range header {
		if !slices.Contains(columns, name) {
			return invalid("unknown column %q", name)
		}
		if slices.Contains(header[:i], name) {
			return invalid("column %q occurs twice", name)
		}
	}
	for _, name := range []string{"provider", "model", "input", "output"} {
		if !slices.Contains(header, name) {
			return invalid("column %q is missing", name)
		}
	}
	return nil
}

func readRecord(header, fields []string) (c Content, err error) {
	c.ValidFrom = Always
	for i, name := range header {
		text := strings.TrimSpace(fields[i])
		switch name {
		case "provider":
			c.Provider = text
		case "model":
			c.Model = text
		case "valid_from":
			err = readStart(&c, text)
		default:
			err = readRate(&c, name, text)
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// Always is the start of prices without one.
var Always = time.Unix(0, 0).UTC()

func readStart(c *Content, text string) (err error) {
	if text == "" {
		return nil
	}
	for _, layout := range []string{time.RFC3339Nano, dateOnly} {
		if c.ValidFrom, err = time.Parse(layout, text); err == nil {
			return nil
		}
	}
	return fmt.Errorf("valid_from should be a date: %q", text)
}

func readRate(c *Content, name, text string) error {
	if text == "" && name != "input" && name != "output" {
		return nil
	}
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("%s should be a number: %q", name, text)
	}
	if rule, ok := rateRule(rate); !ok {
		return fmt.Errorf("%s: %s", name, rule.Msg)
	}
	c.set(name, rate)
	return nil
}
