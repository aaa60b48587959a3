package exporter

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

const (
	maxName    = 255
	maxAddress = 1000
	// bucketScheme begins the addresses of buckets.
	bucketScheme = "s3://"
)

// isBucket reports whether files go to a bucket.
func (t *Target) isBucket() bool { return strings.HasPrefix(t.Address, bucketScheme) }

// sameService reports whether credentials for one target are meant for another one,
// too.
func (t *Target) sameService(other *Target) bool {
	if !t.isBucket() || !other.isBucket() {
		return t.isBucket() == other.isBucket()
	}
	mine, _, _ := blob.ParseBucket(t.Address) // it was checked
	theirs, _, _ := blob.ParseBucket(other.Address)
	return mine == theirs && t.Region == other.Region && t.Endpoint == other.Endpoint
}

// sameFiles reports whether two contents lead to the same files.
func (c *Content) sameFiles(other *Content) bool {
	return c.Source == other.Source && c.Query == other.Query && c.Target == other.Target && c.Incremental == other.Incremental &&
		c.File.Options == other.File.Options && slices.Equal(c.File.Columns, other.File.Columns)
}

// check describes everything that is wrong with a content.
func (s *Service) check(c *Content) error {
	c.Name = strings.TrimSpace(c.Name)
	c.normalize()
	var problems fault.Problems
	if broken, ok := fault.TextRule(c.Name, 1, maxName); !ok {
		problems.Report(fault.In("name"), broken)
	}
	c.checkFile(&problems)
	c.checkTimes(&problems)
	s.checkTarget(&c.Target, &problems)
	if of, known := kinds[c.Source]; c.Incremental && known && !of.hasIDs() {
		problems.Add(fault.In("incremental"), "value_error", "Only exports of request logs and of the audit log can be incremental")
	}
	if err := problems.Err(); err != nil {
		return err
	}
	_, err := c.reader()
	return err
}

// checkSource returns a fault if the workspace does not have what is exported, or if
// it lacks columns.
func (s *Service) checkSource(ctx context.Context, workspace int64, c *Content) error {
	read, err := c.reader()
	if err != nil {
		return err
	}
	_, err = read(ctx, s.options.Exports, workspace, query.Range{}, c.File)
	return err
}

func (c *Content) checkFile(problems *fault.Problems) {
	if !slices.Contains(format.Formats, c.File.Format) {
		problems.Add(fault.In("format"), "value_error", "The format must be jsonl, csv or parquet")
	}
	if c.File.Compression != "" && !slices.Contains(format.Compressions, c.File.Compression) {
		problems.Add(fault.In("compression"), "value_error", "The compression must be none, gzip or zstd")
	}
	of, isSource := kinds[c.Source]
	if !isSource {
		problems.Add(fault.In("source"), "value_error", "The source must be requests, traces, dataset, evaluation or audit")
		return
	}
	for i, name := range c.File.Columns {
		switch {
		case of.columns != nil && !slices.Contains(of.columns, name):
			problems.Add(fault.In("columns", i), "value_error", "There is no column %s", name)
		case slices.Contains(c.File.Columns[:i], name):
			problems.Add(fault.In("columns", i), "value_error", "The column %s is named twice", name)
		}
		if problems.Full() {
			return
		}
	}
}

func (s *Service) checkTarget(t *Target, problems *fault.Problems) {
	if broken, ok := fault.TextRule(t.Address, 1, maxAddress); !ok {
		problems.Report(fault.In("target", "address"), broken)
		return
	}
	if !t.isBucket() {
		if t.Region != "" || t.Endpoint != "" {
			problems.Add(fault.In("target"), "value_error", "region and endpoint are for buckets only")
		}
		if _, _, err := s.folder(t.Address); err != nil {
			problems.Add(fault.In("target", "address"), "value_error", "%s", sentence(err.Error()))
		}
		return
	}
	if _, _, err := blob.ParseBucket(t.Address); err != nil {
		problems.Add(fault.In("target", "address"), "value_error", "%s", sentence(err.Error()))
	}
	if broken, ok := fault.TextRule(t.Region, 0, maxName); !ok {
		problems.Report(fault.In("target", "region"), broken)
	}
	if t.Endpoint == "" {
		return
	}
	if err := s.options.CheckURL(t.Endpoint); err != nil {
		problems.Add(fault.In("target", "endpoint"), "value_error", "%s", sentence(err.Error()))
	}
}

// folder finds the allowed folder that a path is in, and the rest of the path, "" if
// it is the folder itself.
func (s *Service) folder(path string) (root, rest string, err error) {
	if len(s.options.Folders) == 0 {
		return "", "", fault.BadRequestf("This server exports to buckets only: its operator has not set export-folders")
	}
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return "", "", fault.BadRequestf("The target must be the absolute path of a folder, or s3://bucket/prefix")
	}
	for _, root := range s.options.Folders {
		rest, err := filepath.Rel(root, path)
		if err != nil || !filepath.IsLocal(rest) {
			continue
		}
		if rest = filepath.ToSlash(rest); rest == "." {
			return root, "", nil
		}
		return root, rest, blob.CheckName(rest)
	}
	return "", "", fault.BadRequestf("The folder must be in %s", strings.Join(s.options.Folders, " or "))
}

// sentence returns a message that begins with an upper case letter.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// checkCredentials returns an Invalid fault if a bucket has no credentials, or a
// folder has some.
func checkCredentials(t *Target, c *blob.Credentials, stored bool) error {
	var problems fault.Problems
	switch {
	case !t.isBucket() && c != nil:
		problems.Add(fault.In("credentials"), "value_error", "Credentials are for buckets only")
	case t.isBucket() && c == nil && !stored:
		problems.Add(fault.In("credentials"), "value_error", "A bucket needs credentials; give them again when the bucket, its region or its endpoint changes")
	case c != nil && (c.AccessKey == "" || c.SecretKey == ""):
		problems.Add(fault.In("credentials"), "value_error", "Credentials are an access key and a secret key")
	}
	return problems.Err()
}
