package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// pack writes a folder into a compressed archive, without the lock file.
func pack(t *testing.T, folder, file string) {
	t.Helper()
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	if err := os.Remove(filepath.Join(folder, "promptuary.lock")); err != nil {
		t.Fatal(err)
	}
	if err := w.AddFS(os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	compress(t, file, packed.Bytes())
}

func unpack(t *testing.T, file, folder string) {
	t.Helper()
	r := tar.NewReader(strings.NewReader(decompress(t, file)))
	for {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		path := filepath.Join(folder, filepath.FromSlash(header.Name))
		if header.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			err = writeArchived(path, r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func writeArchived(path string, r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

func compress(t *testing.T, file string, text []byte) {
	t.Helper()
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, zipped.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// dump returns a database as SQL for restoreDump: rows are INSERT statements,
// without psql commands.
func dump(t *testing.T, dsn string) []byte {
	t.Helper()
	text := runCommand(t, exec.Command("pg_dump", "--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges", dsn)).must(t)
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, `\`) && !strings.HasPrefix(line, "--") {
			kept.WriteString(line)
		}
	}
	return []byte(kept.String())
}

func restoreDump(t *testing.T, dsn, text string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.PgConn().Exec(t.Context(), text).ReadAll(); err != nil {
		t.Fatal(err)
	}
}
