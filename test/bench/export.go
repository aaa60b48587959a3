package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// exportPath is an export of all request logs with everything that is known of them.
const exportPath = "/api/public/v2/requests/export?format=parquet"

// exportTime limits one export.
const exportTime = 30 * time.Minute

// measureExport compares an export to Parquet with DuckDB's COPY of a table with the
// same rows and columns, which it has from the file. The memory of the program is
// measured before and during the export.
func (b *bench) measureExport() error {
	ours, anchor := b.path("ours.parquet"), b.path("copy.parquet")
	before, peak, took, err := b.exportAll(ours)
	if err != nil {
		return err
	}
	duck, err := openDuck(b.path("export.duckdb"), `CREATE TABLE log AS SELECT * FROM read_parquet('`+ours+`')`, "log")
	if err != nil {
		return err
	}
	bare, err := func() (time.Duration, error) {
		if err := duck.finish(); err != nil { // on disk, like that of the program
			return 0, err
		}
		start := time.Now()
		_, err := duck.db.Exec(`COPY log TO '` + anchor + `' (FORMAT parquet, COMPRESSION zstd)`)
		took := time.Since(start)
		return took, errors.Join(err, b.sameRows(duck.db, ours, anchor))
	}()
	if err := errors.Join(err, duck.close()); err != nil {
		return err
	}
	b.report.atLeast("export to Parquet", perSecond(b.logs, took), perSecond(b.logs, bare), 0.3)
	b.report.below("export to Parquet, memory that it adds", megabytes(max(0, peak-before)), 256)
	return b.compareSizes("export to Parquet, size of the file", ours, anchor)
}

// exportAll writes an export to a file, and returns the memory of the program before
// and the highest during it.
func (b *bench) exportAll(to string) (before, peak int64, took time.Duration, err error) {
	if before, _, err = b.server.memory(); err != nil {
		return 0, 0, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), exportTime)
	defer cancel()
	watching, stop := context.WithCancel(ctx)
	highest := make(chan int64, 1)
	go func() { highest <- b.highestMemory(watching) }()
	start := time.Now()
	err = b.download(ctx, exportPath, to)
	took = time.Since(start)
	stop()
	return before, <-highest, took, err
}

// highestMemory returns the highest memory of the program until ctx ends.
func (b *bench) highestMemory(ctx context.Context) (highest int64) {
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return highest
		case <-ticker.C:
			if now, _, err := b.server.memory(); err == nil {
				highest = max(highest, now)
			}
		}
	}
}

// download writes the response to a file.
func (b *bench) download(ctx context.Context, path, to string) (err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.server.address+path, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("X-API-KEY", apiKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: status %d", path, answer.StatusCode)
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, answer.Body)
	return errors.Join(err, file.Close())
}

// sameRows compares the logs in files with those that were loaded.
func (b *bench) sameRows(db *sql.DB, files ...string) error {
	for _, file := range files {
		var rows, inputs int
		if err := db.QueryRow(`SELECT count(DISTINCT id), count(input) FROM read_parquet('`+file+`')`).Scan(&rows, &inputs); err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
		b.report.same("logs and inputs in "+filepath.Base(file), [2]int{rows, inputs}, [2]int{b.logs, b.logs})
	}
	return nil
}

func (b *bench) compareSizes(measure, ours, anchor string) error {
	mine, err := os.Stat(ours)
	if err != nil {
		return err
	}
	theirs, err := os.Stat(anchor)
	if err != nil {
		return err
	}
	b.report.compare(measure, megabytes(mine.Size()), megabytes(theirs.Size()), "", nil)
	return nil
}
