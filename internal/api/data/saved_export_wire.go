package data

import (
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/rest"
)

// exportTarget is where files are written to.
type exportTarget struct {
	Address  string  `json:"address" required:"true" minLength:"1" maxLength:"1000" description:"The absolute path of a folder of the server, or s3://bucket/prefix."`
	Region   *string `json:"region,omitempty" maxLength:"255" description:"Region of the bucket; us-east-1 without it."`
	Endpoint *string `json:"endpoint,omitempty" maxLength:"1000" description:"Address of an S3-compatible service, such as https://minio.example.com; that of AWS without it."`
}

func (t *exportTarget) target() exporter.Target {
	return exporter.Target{Address: t.Address, Region: kit.OrZero(t.Region), Endpoint: kit.OrZero(t.Endpoint)}
}

func wireTarget(t *exporter.Target) exportTarget {
	return exportTarget{Address: t.Address, Region: kit.OrNil(t.Region), Endpoint: kit.OrNil(t.Endpoint)}
}

// exportCredentials give access to a bucket. They are only ever received.
type exportCredentials struct {
	AccessKey    string  `json:"access_key_id" required:"true" minLength:"1" maxLength:"1000" description:"Access key."`
	SecretKey    string  `json:"secret_access_key" required:"true" minLength:"1" maxLength:"1000" description:"Secret key."`
	SessionToken *string `json:"session_token" maxLength:"10000" description:"Session token of temporary credentials."`
}

func (c *exportCredentials) credentials() *blob.Credentials {
	if c == nil {
		return nil
	}
	return &blob.Credentials{AccessKey: c.AccessKey, SecretKey: c.SecretKey, SessionToken: kit.OrZero(c.SessionToken)}
}

// exportSchedule says when an export runs.
type exportSchedule struct {
	Every   string  `json:"every" required:"true" enum:"once,hourly,daily,weekly" description:"How often it runs. One that runs once is started when it is created, if it is enabled."`
	Minute  *int64  `json:"minute,omitempty" minimum:"0" maximum:"59" description:"Minute of the hour; 0 without it."`
	Hour    *int64  `json:"hour,omitempty" minimum:"0" maximum:"23" description:"Hour of the day in UTC, for daily and weekly exports; 0 without it."`
	Weekday *string `json:"weekday,omitempty" enum:"monday,tuesday,wednesday,thursday,friday,saturday,sunday" description:"Day of the week in UTC, for weekly exports; monday without it."`
}

// weekdays are the days of the week as time.Weekday counts them.
var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

func (s *exportSchedule) schedule() exporter.Schedule {
	day := time.Monday
	if s.Weekday != nil {
		day = time.Weekday(slices.Index(weekdays, *s.Weekday))
	}
	return exporter.Schedule{Every: exporter.Every(s.Every), Minute: int(kit.OrZero(s.Minute)), Hour: int(kit.OrZero(s.Hour)), Weekday: day}
}

func wireSchedule(s *exporter.Schedule) exportSchedule {
	item := exportSchedule{Every: string(s.Every)}
	if s.Every != exporter.Once {
		item.Minute = new(int64(s.Minute))
	}
	if s.Every == exporter.Daily || s.Every == exporter.Weekly {
		item.Hour = new(int64(s.Hour))
	}
	if s.Every == exporter.Weekly {
		item.Weekday = &weekdays[s.Weekday]
	}
	return item
}

type createExportRequest struct {
	Name        string             `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the export, unique in the workspace."`
	Enabled     *bool              `json:"enabled" default:"true" description:"Whether it follows its schedule."`
	Source      string             `json:"source" enum:"requests,traces,dataset,evaluation,audit" default:"requests" description:"What is exported: request logs, the spans of traces, a dataset, the results of an evaluation, or the audit log of the workspace, which needs the permission ADMIN, too."`
	Query       rest.RawObject     `json:"query" description:"What of it. Of requests and traces, the members filter_group, filters and q of a search. Of a dataset, dataset_id, or dataset_group_id for the latest version. Of an evaluation, evaluation_id: the id of a run, or of an evaluation for its newest run that has ended. Of the audit log, the parameters of its list. Requests, traces and the audit log are exported whole without it."`
	Format      string             `json:"format" enum:"jsonl,csv,parquet" default:"jsonl" description:"Format of the files: JSON lines, CSV or Parquet."`
	Compression *string            `json:"compression" enum:"none,gzip,zstd" description:"Compression; zstd inside of Parquet files and none otherwise without it."`
	Columns     []string           `json:"columns" maxItems:"200" items.maxLength:"255" description:"Names of the columns in the order of the files; all without it."`
	Formulas    string             `json:"formulas" enum:"escape,keep" default:"escape" description:"Whether texts in CSV that a spreadsheet would evaluate get an apostrophe in front, or stay as they are."`
	Target      exportTarget       `json:"target" required:"true" description:"Where files are written to."`
	Credentials *exportCredentials `json:"credentials" description:"Credentials of the bucket, which are never returned. Required for a bucket."`
	Incremental bool               `json:"incremental" description:"Whether a run exports the request logs or audit entries that no run before has, each once. Otherwise a run exports everything that matches."`
	Schedule    exportSchedule     `json:"schedule" required:"true" description:"When it runs."`
}

func (in *createExportRequest) content() exporter.Content {
	return exporter.Content{
		Name: in.Name, Enabled: in.Enabled == nil || *in.Enabled, Source: exporter.Source(in.Source), Query: kit.QueryText(in.Query),
		File: export.File{Columns: in.Columns, Options: format.Options{
			Format: format.Format(in.Format), Compression: format.Compression(kit.OrZero(in.Compression)), KeepFormulas: in.Formulas == keepFormulas,
		}},
		Target: in.Target.target(), Incremental: in.Incremental, Schedule: in.Schedule.schedule(),
	}
}

const keepFormulas = "keep"

type savedExportPath struct {
	ID int64 `path:"export_id" minimum:"1" description:"The id of the saved export."`
}

type exportRunsRequest struct {
	savedExportPath
	kit.ShortPaging
}

type updateExportRequest struct {
	savedExportPath
	Name        *string            `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	Enabled     *bool              `json:"enabled" description:"Whether it follows its schedule from now on."`
	Source      *string            `json:"source" enum:"requests,traces,dataset,evaluation,audit" description:"What is exported from now on."`
	Query       rest.RawObject     `json:"query" description:"New query."`
	Format      *string            `json:"format" enum:"jsonl,csv,parquet" description:"New format."`
	Compression *string            `json:"compression" enum:"none,gzip,zstd" description:"New compression."`
	Columns     []string           `json:"columns" maxItems:"200" items.maxLength:"255" description:"New columns; an empty list for all."`
	Formulas    *string            `json:"formulas" enum:"escape,keep" description:"Whether texts in CSV that a spreadsheet would evaluate are escaped."`
	Target      *exportTarget      `json:"target" description:"New target."`
	Credentials *exportCredentials `json:"credentials" description:"New credentials of the bucket."`
	Incremental *bool              `json:"incremental" description:"Whether a run exports only what no run before has."`
	Schedule    *exportSchedule    `json:"schedule" description:"New schedule."`
}

// apply changes the members that were sent.
func (in *updateExportRequest) apply(c *exporter.Content) {
	kit.Set(&c.Name, in.Name)
	kit.Set(&c.Enabled, in.Enabled)
	kit.Set(&c.Incremental, in.Incremental)
	if in.Source != nil {
		c.Source = exporter.Source(*in.Source)
	}
	if in.Query != nil {
		c.Query = string(in.Query)
	}
	if in.Target != nil {
		c.Target = in.Target.target()
	}
	if in.Schedule != nil {
		c.Schedule = in.Schedule.schedule()
	}
	in.applyFile(&c.File)
}

func (in *updateExportRequest) applyFile(f *export.File) {
	if in.Format != nil {
		f.Format = format.Format(*in.Format)
	}
	if in.Compression != nil {
		f.Compression = format.Compression(*in.Compression)
	}
	if in.Formulas != nil {
		f.KeepFormulas = *in.Formulas == keepFormulas
	}
	switch {
	case len(in.Columns) > 0:
		f.Columns = in.Columns
	case in.Columns != nil:
		f.Columns = nil
	}
}

// savedExportItem is a saved export.
type savedExportItem struct {
	ID             int64          `json:"id" required:"true" description:"The id of the saved export."`
	Name           string         `json:"name" required:"true" description:"Name."`
	Enabled        bool           `json:"enabled" required:"true" description:"Whether it follows its schedule."`
	Source         string         `json:"source" required:"true" enum:"requests,traces,dataset,evaluation,audit" description:"What is exported."`
	Query          rest.RawObject `json:"query" required:"true" description:"What of it, as given."`
	Format         string         `json:"format" required:"true" enum:"jsonl,csv,parquet" description:"Format of the files."`
	Compression    *string        `json:"compression" required:"true" description:"Compression; null for the default of the format."`
	Columns        []string       `json:"columns" required:"true" description:"Names of the columns; empty for all."`
	Formulas       string         `json:"formulas" required:"true" enum:"escape,keep" description:"Whether texts in CSV that a spreadsheet would evaluate are escaped."`
	Target         exportTarget   `json:"target" required:"true" description:"Where files are written to."`
	HasCredentials bool           `json:"has_credentials" required:"true" description:"Whether credentials of the bucket are stored."`
	Incremental    bool           `json:"incremental" required:"true" description:"Whether a run exports only what no run before has."`
	LastID         *int64         `json:"last_id" required:"true" description:"The highest id of a request log or an audit entry that complete runs of an incremental export cover; null before the first one, and for other exports."`
	Schedule       exportSchedule `json:"schedule" required:"true" description:"When it runs."`
	NextRunAt      *rest.Time     `json:"next_run_at" required:"true" description:"When it runs next; null if it does not."`
	LastRun        *exportRunItem `json:"last_run" required:"true" description:"The newest run; null without any."`
	CreatedBy      *string        `json:"created_by" required:"true" description:"Email address of who created it; null for a key without an owner."`
	CreatedAt      rest.Time      `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt      rest.Time      `json:"updated_at" required:"true" description:"When it was last changed."`
}

func wireSavedExport(e *exporter.Export) savedExportItem {
	item := savedExportItem{
		ID: e.ID, Name: e.Name, Enabled: e.Enabled, Source: string(e.Source), Query: rest.RawObject(e.Query), Format: string(e.File.Format),
		Compression: kit.OrNil(string(e.File.Compression)), Columns: append([]string{}, e.File.Columns...), Formulas: "escape", Target: wireTarget(&e.Target),
		HasCredentials: len(e.Sealed) > 0, Incremental: e.Incremental, Schedule: wireSchedule(&e.Schedule), NextRunAt: kit.TimeOrNil(e.NextAt),
		CreatedBy: e.CreatedBy, CreatedAt: kit.Time(e.CreatedAt), UpdatedAt: kit.Time(e.UpdatedAt),
	}
	if e.File.KeepFormulas {
		item.Formulas = keepFormulas
	}
	if e.Incremental {
		item.LastID = kit.OrNil(e.LastLog)
	}
	if e.LastRun != nil {
		item.LastRun = new(wireExportRun(e.LastRun))
	}
	return item
}

// exportRunItem is a run of a saved export.
type exportRunItem struct {
	ID        int64      `json:"id" required:"true" description:"The id of the run."`
	State     string     `json:"state" required:"true" enum:"waiting,running,done,failed,cancelled" description:"How far it is. It waits before it begins, and after a failure for another attempt."`
	Error     *string    `json:"error" required:"true" description:"Why it failed, or why it waits for another attempt; null otherwise."`
	RetryAt   *rest.Time `json:"retry_at" required:"true" description:"When the next attempt is; null without one."`
	Scheduled bool       `json:"scheduled" required:"true" description:"Whether the schedule has started it."`
	Progress  float64    `json:"progress" required:"true" description:"The part that is done, from 0 to 1."`
	Rows      int64      `json:"rows" required:"true" description:"Number of rows that were written."`
	Damaged   int64      `json:"damaged_rows" required:"true" description:"Number of rows that can no longer be read and were left out."`
	Bytes     int64      `json:"bytes" required:"true" description:"Size of the files."`
	Files     int64      `json:"files" required:"true" description:"Number of files, without the manifest."`
	FirstFile *string    `json:"first_file" required:"true" description:"Name of the first file in the target; null without any."`
	CreatedBy *string    `json:"created_by" required:"true" description:"Email address of who started it; null for the schedule and for a key without an owner."`
	CreatedAt rest.Time  `json:"created_at" required:"true" description:"When it was started."`
	EndedAt   *rest.Time `json:"ended_at" required:"true" description:"When it ended; null while it is active."`
}

func wireExportRun(r *exporter.Run) exportRunItem {
	item := exportRunItem{
		ID: r.ID, State: string(r.State), Error: kit.OrNil(r.Failure), RetryAt: kit.TimeOrNil(r.RetryAt), Scheduled: r.Scheduled, Progress: r.Part(), Rows: r.Rows,
		Damaged: r.Damaged, Bytes: r.Bytes, Files: int64(len(r.Files)), CreatedBy: r.CreatedBy, CreatedAt: kit.Time(r.CreatedAt), EndedAt: kit.TimeOrNil(r.EndedAt),
	}
	if len(r.Files) > 0 {
		item.FirstFile = &r.Files[0].Name
	}
	return item
}

type savedExportList struct {
	Success bool              `json:"success" required:"true" description:"Always true."`
	Exports []savedExportItem `json:"exports" required:"true" description:"The saved exports, by name."`
	Folders []string          `json:"folders" required:"true" description:"The folders of the server that exports may be written to, and to folders in them; empty if there are only buckets."`
}

type savedExportResponse struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	Export  savedExportItem `json:"export" required:"true" description:"The saved export."`
}

func answerSavedExport(e exporter.Export, err error) (*savedExportResponse, error) {
	if err != nil {
		return nil, err
	}
	return &savedExportResponse{Success: true, Export: wireSavedExport(&e)}, nil
}

type exportRunResponse struct {
	Success bool          `json:"success" required:"true" description:"Always true."`
	Run     exportRunItem `json:"run" required:"true" description:"The run."`
}

type exportRunList struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	Runs    []exportRunItem `json:"runs" required:"true" description:"The runs, the newest first."`
	kit.PageCounts
}
