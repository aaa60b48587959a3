package e2e

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"
)

const deletionsPath = "/api/public/v2/deletions"

// deletionUsers are whose logs the tests write, in turn.
var deletionUsers = []string{"ann", "bob", "cy"}

// userLogs are the ids of logs by user, in rising order.
type userLogs map[string][]int64

// marker is a word that only logs of a user have.
func marker(user string) string { return "zqmark" + user + "qz" }

// writeUserLogs writes as many logs of each user, with so much text each.
func writeUserLogs(t *testing.T, c *client, each, padding int) userLogs {
	t.Helper()
	const atOnce = 50
	logs := userLogs{}
	for range each / atOnce {
		for _, user := range deletionUsers {
			bodies := make([]object, atOnce)
			for i := range bodies {
				bodies[i] = entry{word: marker(user), tokens: 1, padding: noise(padding)}.body()
				bodies[i]["metadata"] = object{"user_id": user}
			}
			answer := mustDecode[struct{ Results []created }](t, c.post(t, "/log-requests", object{"requests": bodies}, http.StatusCreated))
			for _, one := range answer.Results {
				logs[user] = append(logs[user], one.ID)
			}
		}
	}
	return logs
}

// deletionState is a deletion in an answer.
type deletionState struct {
	Deletion struct {
		ID       int64
		State    string
		Logs     int64
		Progress float64
		Digest   string  `json:"ids_sha256"`
		EndedAt  *string `json:"ended_at"`
	}
}

func startDeletion(t *testing.T, c *client, user string) int64 {
	t.Helper()
	return mustDecode[deletionState](t, c.post(t, deletionsPath, object{"user_id": user}, http.StatusCreated)).Deletion.ID
}

func getDeletion(t *testing.T, c *client, id int64) deletionState {
	t.Helper()
	return mustDecode[deletionState](t, c.get(t, fmt.Sprintf("%s/%d", deletionsPath, id)))
}

// awaitDeletion waits for the end of a deletion, and checks that the certificate has
// exactly these logs.
func awaitDeletion(t *testing.T, c *client, id int64, logs []int64) {
	t.Helper()
	var now deletionState
	for end := time.Now().Add(2 * patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if now = getDeletion(t, c, id); now.Deletion.EndedAt != nil {
			break
		}
	}
	digest := sha256.New()
	for _, id := range logs {
		fmt.Fprintf(digest, "%d\n", id)
	}
	if d := now.Deletion; d.State != "done" || d.Logs != int64(len(logs)) || d.Digest != hex.EncodeToString(digest.Sum(nil)) || d.Progress != 1 {
		t.Errorf("the certificate is %+v, want %d logs", d, len(logs))
	}
}

// checkUsers checks that all logs of some users are gone, and all others are there.
func (l userLogs) check(t *testing.T, c *client, random *rand.Rand, gone ...string) {
	t.Helper()
	for user, ids := range l {
		want, status := int64(len(ids)), http.StatusOK
		for _, other := range gone {
			if other == user {
				want, status = 0, http.StatusNotFound
			}
		}
		filters := []object{{"field": "metadata", "operator": "key_equals", "nested_key": "user_id", "value": user}}
		if got := c.search(t, object{"filters": filters}).Total; got != want {
			t.Errorf("%d logs of %s, want %d", got, user, want)
		}
		if got := c.search(t, object{"q": marker(user)}).Total; got != want {
			t.Errorf("the word of %s is in %d logs, want %d", user, got, want)
		}
		for range 10 {
			id := ids[random.IntN(len(ids))]
			if a, err := c.call(http.MethodGet, fmt.Sprint(requestsPath, id), nil); err != nil || a.status != status || status == http.StatusOK && !bytes.Contains(a.body, []byte(marker(user))) {
				t.Errorf("log %d of %s: status %d, %v, want %d", id, user, a.status, err, status)
			}
		}
	}
}

// TestDeletionSurvivesCrashes repeatedly kills the server while it deletes. Exactly
// the selected logs must go, and each must count once.
func TestDeletionSurvivesCrashes(t *testing.T) {
	t.Parallel()
	const crashes = 6
	s := setup{data: t.TempDir()}
	random := rand.New(rand.NewPCG(crashSeed, 21))
	p := s.start(t)
	_, key := s.asAdmin(t, p)
	logs := writeUserLogs(t, p.client, 2000, 2000)
	id := startDeletion(t, p.withKey(key), "bob")
	between := 0
	for range crashes {
		p.killWithin(random, 300*time.Millisecond)
		p = s.start(t)
		if now := getDeletion(t, p.withKey(key), id).Deletion; now.EndedAt == nil {
			between++
		}
		logs.checkOthers(t, p.client, "bob")
	}
	awaitDeletion(t, p.withKey(key), id, logs["bob"])
	logs.check(t, p.client, random, "bob")
	p.stop()
	s.run(t, "verify", "--data", s.data).must(t)
	p = s.start(t)
	logs.check(t, p.client, random, "bob")
	t.Logf("%d of %d crashes were during the deletion", between, crashes)
}

// checkOthers checks the number of logs of all other users.
func (l userLogs) checkOthers(t *testing.T, c *client, user string) {
	t.Helper()
	for other, ids := range l {
		filters := []object{{"field": "metadata", "operator": "key_equals", "nested_key": "user_id", "value": other}}
		if got := c.search(t, object{"filters": filters}).Total; other != user && got != int64(len(ids)) {
			t.Errorf("%d logs of %s, want %d", got, other, len(ids))
		}
	}
}

// TestDeletionOnFullDisk leaves no room for the new files. The deletion hides the
// logs and then waits; when there is room, it continues.
func TestDeletionOnFullDisk(t *testing.T) {
	t.Parallel()
	withPrivateMounts(t, func(t *testing.T) {
		d := mountDisk(t, 256)
		s := setup{data: d.data(), args: []string{"--min-free-disk", "-1"}}
		random := rand.New(rand.NewPCG(crashSeed, 22))
		p := s.start(t)
		admin, _ := s.asAdmin(t, p)
		logs := writeUserLogs(t, p.client, 1000, 8000)
		d.fill(2 << 20)
		id := startDeletion(t, admin, "ann")
		eventually(t, func() error {
			if said := p.stderr.String(); !strings.Contains(said, "no space left on device") && !strings.Contains(said, "No space left") {
				return fmt.Errorf("the program does not say that the disk is full: %s", lastLines(said, 5))
			}
			return nil
		})
		if now := getDeletion(t, admin, id).Deletion; now.State != "reclaiming" {
			t.Errorf("the deletion is %s although the disk is full", now.State)
		}
		logs.check(t, p.client, random, "ann")
		d.free()
		awaitDeletion(t, admin, id, logs["ann"])
		logs.check(t, p.client, random, "ann")
		p.stop()
		s.run(t, "verify", "--data", s.data).must(t)
	})
}

// TestDeletionsAndExport deletes the logs of two users while all logs are exported.
// The export has every other log once, and none twice.
func TestDeletionsAndExport(t *testing.T) {
	t.Parallel()
	s := setup{data: t.TempDir()}
	random := rand.New(rand.NewPCG(crashSeed, 23))
	p := s.start(t)
	admin, _ := s.asAdmin(t, p)
	logs := writeUserLogs(t, p.client, 2000, 1000)
	var exported answer
	var work errgroup.Group
	work.Go(func() (err error) {
		exported, err = admin.call(http.MethodGet, "/api/public/v2/requests/export?format=jsonl", nil)
		return err
	})
	first, second := startDeletion(t, admin, "ann"), startDeletion(t, admin, "cy")
	if err := work.Wait(); err != nil {
		t.Fatal(err)
	}
	awaitDeletion(t, admin, first, logs["ann"])
	awaitDeletion(t, admin, second, logs["cy"])
	logs.check(t, p.client, random, "ann", "cy")
	times := map[int64]int{}
	lines := bufio.NewScanner(bytes.NewReader(exported.body))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			ID       int64
			Metadata []map[string]string
		}
		err := json.Unmarshal(lines.Bytes(), &row)
		if err != nil || len(row.Metadata) != 1 || !bytes.Contains(lines.Bytes(), []byte(marker(row.Metadata[0]["user_id"]))) {
			t.Fatalf("the export has the row %s: %v", clip(lines.Bytes()), err)
		}
		if times[row.ID]++; times[row.ID] > 1 {
			t.Errorf("the export has log %d twice", row.ID)
		}
	}
	for _, id := range logs["bob"] {
		if times[id] != 1 {
			t.Errorf("the export has log %d %d times", id, times[id])
		}
	}
	t.Logf("the export has %d logs that were being deleted", len(times)-len(logs["bob"]))
}

// TestBackupAfterDeletion looks for the texts of deleted logs in everything that a
// later backup consists of.
func TestBackupAfterDeletion(t *testing.T) {
	t.Parallel()
	s := setup{data: t.TempDir()}
	p := s.start(t)
	admin, _ := s.asAdmin(t, p)
	logs := writeUserLogs(t, p.client, 200, 500)
	before, after := filepath.Join(t.TempDir(), "before"), filepath.Join(t.TempDir(), "after")
	s.run(t, "backup", before, "--data", s.data).must(t)
	awaitDeletion(t, admin, startDeletion(t, admin, "ann"), logs["ann"])
	s.run(t, "backup", after, "--data", s.data).must(t)
	for _, tt := range []struct {
		folder, user string
		want         bool
	}{{before, "ann", true}, {after, "bob", true}, {after, "ann", false}, {s.data, "bob", true}, {s.data, "ann", false}} {
		if got := folderContains(t, tt.folder, marker(tt.user)); got != tt.want {
			t.Errorf("%s has the texts of %s: %v, want %v", tt.folder, tt.user, got, tt.want)
		}
	}
}

// folderContains reports whether a text is in a file of a folder, as it is or
// compressed, also twice.
func folderContains(t *testing.T, folder, text string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || found {
			return err
		}
		content, err := os.ReadFile(path)
		found = found || contains(content, []byte(text), 2)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// contains reports whether a text is in the content, or in what is compressed in it
// at any place.
func contains(content, text []byte, depth int) bool {
	if bytes.Contains(content, text) {
		return true
	}
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd}
	for at := bytes.Index(content, magic); at >= 0 && depth > 0; {
		if contains(unpacked(content[at:]), text, depth-1) {
			return true
		}
		next := bytes.Index(content[at+1:], magic)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return false
}

// unpacked returns what a frame at the beginning of the content has. Other data may
// follow it.
func unpacked(content []byte) []byte {
	reader, err := zstd.NewReader(bytes.NewReader(content), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
	if err != nil {
		return nil
	}
	defer reader.Close()
	var out bytes.Buffer
	_, _ = io.Copy(&out, reader) // it fails at what follows the frame
	return out.Bytes()
}
