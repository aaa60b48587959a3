package e2e

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const importsPath = "/api/public/v2/imports"

// importFile returns a file with so many rows, each with its number as the input.
func importFile(rows int) string {
	var file strings.Builder
	for n := range rows {
		fmt.Fprintf(&file, `{"request":{"model":"gpt-4o","messages":[{"role":"user","content":"row %d"}]},"response":{"id":"c%[1]d","created":%d,"choices":[{"message":{"role":"assistant","content":"%s"}}]}}`+"\n",
			n+1, 1742034600+n, strings.Repeat("ok ", 30))
	}
	return file.String()
}

// importState is an import in an answer.
type importState struct {
	Import struct {
		ID     int64
		State  string
		Result struct{ Rows, Accepted int64 }
	}
}

// asAdmin returns a client that may import.
func (s setup) asAdmin(t *testing.T, p *program) (c *client, key string) {
	t.Helper()
	key = strings.TrimSpace(s.run(t, "key", "create", "--name", "admin", "--role", "Admin").must(t))
	return p.withKey(key), key
}

// startImport uploads and checks a file, and starts its import.
func startImport(t *testing.T, c *client, file string) int64 {
	t.Helper()
	made := mustDecode[importState](t, c.post(t, importsPath, object{"file_name": "rows.jsonl"}, http.StatusCreated)).Import
	path := fmt.Sprintf("%s/%d", importsPath, made.ID)
	const size = 3 << 20
	for n := 1; file != ""; n++ {
		part := file[:min(size, len(file))]
		file = file[len(part):]
		c.do(t, http.MethodPut, fmt.Sprintf("%s/parts/%d", path, n), object{"content_base64": base64.StdEncoding.EncodeToString([]byte(part))}, http.StatusOK)
	}
	c.post(t, path+"/check", nil, http.StatusAccepted)
	eventually(t, func() error {
		if now := getImport(t, c, made.ID); now.Import.State != "checked" {
			return fmt.Errorf("the import is %s", now.Import.State)
		}
		return nil
	})
	c.post(t, path+"/start", object{}, http.StatusAccepted)
	return made.ID
}

func getImport(t *testing.T, c *client, id int64) importState {
	t.Helper()
	return mustDecode[importState](t, c.get(t, fmt.Sprintf("%s/%d", importsPath, id)))
}

// awaitImport waits until an import is done.
func awaitImport(t *testing.T, c *client, id int64) importState {
	t.Helper()
	for end := time.Now().Add(2 * patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if now := getImport(t, c, id); now.Import.State == "done" {
			return now
		}
	}
	t.Fatalf("the import has not ended: %+v", getImport(t, c, id))
	return importState{}
}

// countImported returns the number of logs of an import with a value of a mark.
func countImported(t *testing.T, c *client, id int64, mark string, value int) int64 {
	t.Helper()
	filters := []object{{"field": "metadata", "operator": "key_equals", "nested_key": "import.id", "value": fmt.Sprint(id)}}
	if mark != "" {
		filters = append(filters, object{"field": "metadata", "operator": "key_equals", "nested_key": mark, "value": fmt.Sprint(value)})
	}
	return mustDecode[struct{ Total int64 }](t, c.post(t, searchPath, object{"filters": filters}, http.StatusOK)).Total
}

// checkImported checks that every row became one log.
func checkImported(t *testing.T, c *client, random *rand.Rand, id int64, rows int) {
	t.Helper()
	done := awaitImport(t, c, id)
	if got := done.Import.Result; got.Rows != int64(rows) || got.Accepted != int64(rows) {
		t.Errorf("the import counts %+v, want %d rows", got, rows)
	}
	if got := countImported(t, c, id, "", 0); got != int64(rows) {
		t.Errorf("%d request logs, want %d", got, rows)
	}
	for range 20 {
		row := 1 + random.IntN(rows)
		if got := countImported(t, c, id, "import.row", row); got != 1 {
			t.Errorf("row %d has %d request logs", row, got)
		}
	}
}

// TestImportSurvivesCrashes repeatedly kills the server while it imports. Every row
// must become one log.
func TestImportSurvivesCrashes(t *testing.T) {
	t.Parallel()
	const rows, crashes = 30_000, 8
	s := setup{data: t.TempDir()}
	random := rand.New(rand.NewPCG(crashSeed, 19))
	p := s.start(t)
	admin, key := s.asAdmin(t, p)
	id := startImport(t, admin, importFile(rows))
	between := 0
	for range crashes {
		p.killWithin(random, 400*time.Millisecond)
		p = s.start(t)
		if now := getImport(t, p.withKey(key), id).Import; now.State == "running" && now.Result.Rows > 0 {
			between++
		}
	}
	checkImported(t, p.withKey(key), random, id, rows)
	t.Logf("%d of %d crashes were during the import", between, crashes)
}

// TestImportOnFullDisk fills the disk while the server imports. The import waits, and
// continues when there is space again.
func TestImportOnFullDisk(t *testing.T) {
	t.Parallel()
	withPrivateMounts(t, func(t *testing.T) {
		const rows = 30_000
		d := mountDisk(t, 160)
		s := setup{data: d.data(), args: []string{"--min-free-disk", "-1"}}
		p := s.start(t)
		admin, _ := s.asAdmin(t, p)
		id := startImport(t, admin, importFile(rows))
		d.fill(300 << 10)
		stuck := func() int64 {
			now := getImport(t, admin, id).Import
			if now.State != "running" {
				t.Fatalf("the import is %s although the disk is full", now.State)
			}
			return now.Result.Rows
		}
		eventually(t, func() error {
			before := stuck()
			time.Sleep(time.Second)
			if after := stuck(); after != before {
				return fmt.Errorf("the import is at row %d, and at %d later", before, after)
			}
			return nil
		})
		d.free()
		checkImported(t, admin, rand.New(rand.NewPCG(crashSeed, 20)), id, rows)
	})
}

// TestImportCommand imports a table with the command: a dry run writes nothing, rows
// that are refused are reported, and the same file is not imported twice.
func TestImportCommand(t *testing.T) {
	t.Parallel()
	s := setup{data: t.TempDir()}
	p := s.start(t)
	admin, key := s.asAdmin(t, p)
	folder := t.TempDir()
	file, report := filepath.Join(folder, "answers.csv"), filepath.Join(folder, "report.csv")
	table := "Question,Answer,Model,When\nWhy?,Because.,gpt-4o,2025-03-15 10:30:00\nHow?,So.,gpt-4o,yesterday\n"
	if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) result {
		args = append([]string{"import", "logs", file, "--server", p.address, "--key", key, "--map", "input=Question", "--map", "output=Answer", "--map", "model=Model", "--map", "request_start_time=When"}, args...)
		return setup{}.run(t, args...)
	}
	const found = "2 rows: 1 accepted, 1 refused, 0 ignored, 0 already there, 0 without their prompt\n"
	out := run("--dry-run").must(t)
	if want := "Checked " + found + "line 3: refused: request_start_time: must be an ISO 8601 date-time or a Unix time in the years 1 to 9999\n"; out != want {
		t.Errorf("the dry run prints\n%s, want\n%s", out, want)
	}
	if r := run(); r.code == 0 || !strings.Contains(r.stderr, "1 of 2 rows are refused: correct them, or skip them") {
		t.Errorf("with a refused row: %d, %s", r.code, r.stderr)
	}
	if left := mustDecode[struct{ Total int64 }](t, admin.get(t, importsPath)).Total; left != 0 {
		t.Errorf("%d imports are left over", left)
	}
	out = run("--skip-refused", "--report", report).must(t)
	if !strings.HasPrefix(out, "Checked "+found+"Imported "+found+"The request logs have import.id ") {
		t.Errorf("the import prints\n%s", out)
	}
	written, err := os.ReadFile(report)
	if err != nil || !strings.HasPrefix(string(written), "row,line,id,status,reason\n2,3,,refused,") {
		t.Errorf("the report is %q, %v", written, err)
	}
	if r := run("--skip-refused"); r.code == 0 || !strings.Contains(r.stderr, "The file was imported before, by import ") {
		t.Errorf("the same file: %d, %s", r.code, r.stderr)
	}
	if r := run("--map", "input=Nothing"); r.code == 0 || !strings.Contains(r.stderr, "--map: input is set twice") {
		t.Errorf("a field with two columns: %d, %s", r.code, r.stderr)
	}
}
