package backup_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/check"
)

func TestPointsAreIncremental(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store blob.Store) {
		f := newFixture(t, store)
		f.files["00000000.journal"], f.files["00000001.journal"] = random(100_000), random(50_000)
		first := f.create()
		f.same(first.Point)
		check.Equal(t, "unchanged files", first.Reused, 0)

		f.files["00000001.journal"] = append(f.files["00000001.journal"], random(1_000)...)
		before := f.files["00000001.journal"]
		second := f.create()
		f.same(second.Point)
		check.Equal(t, "unchanged files", second.Reused, 1)
		check.Equal(t, "writes what is new", second.Written < 4_000, true)
		check.Equal(t, "parts", len(second.Point.Journal[1].Parts), 2)

		// The file was rewritten under the same name, which happens to one that was
		// restored from an older point.
		f.files["00000001.journal"] = random(60_000)
		third := f.create()
		f.same(third.Point)
		check.Equal(t, "parts of the other file", len(third.Point.Journal[1].Parts), 1)

		f.files["00000001.journal"] = before
		f.same(second.Point)
		found := f.verify()
		check.Equal(t, "points", len(found.Points), 3)
		check.Equal(t, "problems", len(found.Problems), 0)
	})
}

func TestFilesWithManyPartsAreCopiedAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blob.NewFolder(t.TempDir()))
	f.keep = 1
	most := 0
	for range 70 {
		f.files["00000000.journal"] = append(f.files["00000000.journal"], random(10)...)
		most = max(most, len(f.create().Point.Journal[0].Parts))
	}
	check.Equal(t, "parts", most, 64)
	f.same(f.create().Point)
}

func TestPrunesWhatNoPointNeeds(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store blob.Store) {
		f := newFixture(t, store)
		f.files["00000000.journal"], f.files["00000001.journal"] = random(1_000), random(1_000)
		f.create()
		delete(f.files, "00000001.journal")
		f.files["00000001-g2.journal"] = random(500) // logs were deleted
		f.create()
		check.Equal(t, "keeps the old file", strings.Contains(strings.Join(f.names(), " "), "00000001.journal/"), true)
		f.keep = 1
		last := f.create()
		check.Equal(t, "pruned", len(last.Pruned), 2)
		check.Equal(t, "the old file is gone", strings.Contains(strings.Join(f.names(), " "), "00000001.journal/"), false)
		check.Equal(t, "files", len(f.names()), 5) // manifest, catalog, key and two of the journal
		f.same(last.Point)
		check.Equal(t, "problems", len(f.verify().Problems), 0)
	})
}

// TestDamage damages each file of a target in each way.
func TestDamage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	f := newFixture(t, blob.NewFolder(folder))
	f.files["00000000.journal"] = random(5_000)
	f.create()
	f.files["00000000.journal"] = append(f.files["00000000.journal"], random(100)...)
	point := f.create().Point
	names := f.names()
	check.Equal(t, "files", len(names), 8)
	ways := map[string]func([]byte) []byte{
		"a flipped bit":        func(b []byte) []byte { b[len(b)/2] ^= 4; return b },
		"a flipped first bit":  func(b []byte) []byte { b[0] ^= 1; return b },
		"a lost end":           func(b []byte) []byte { return b[:len(b)-3] },
		"more bytes":           func(b []byte) []byte { return append(b, "more"...) },
		"nothing in the file":  func([]byte) []byte { return nil },
		"the file is missing":  nil,
		"zeros instead of all": func(b []byte) []byte { clear(b); return b },
	}
	for _, name := range names {
		path := filepath.Join(folder, filepath.FromSlash(name))
		sound := check.Must(os.ReadFile(path))(t)
		for way, change := range ways {
			if change == nil {
				check.OK(t, os.Remove(path))
			} else {
				check.OK(t, os.WriteFile(path, change(slices.Clone(sound)), 0o600))
			}
			f.checkDamage(name+", "+way, name, point, change == nil)
			check.OK(t, os.WriteFile(path, sound, 0o600))
		}
	}
	check.Equal(t, "problems", len(f.verify().Problems), 0)
}

// checkDamage checks that one damaged file is found, and that a point that needs
// it is not restored.
func (f *fixture) checkDamage(what, name string, point *backup.Point, missing bool) {
	f.t.Helper()
	manifest := strings.HasPrefix(name, "points/")
	found := f.verify()
	if manifest && missing {
		check.Equal(f.t, what+": points", len(found.Points), 1) // the point does not exist
		return
	}
	check.Equal(f.t, what+": problems", len(found.Problems), 1)
	_, err := backup.Read(f.t.Context(), f.store, point.ID)
	if strings.Contains(name, "points/"+point.ID) {
		check.Equal(f.t, what+": the manifest is damaged", errors.Is(err, backup.ErrDamaged), true)
		return
	}
	needed := strings.Contains(name, point.ID) || strings.HasPrefix(name, "journal/")
	if strings.HasPrefix(name, "key/") {
		_, err = backup.Key(f.t.Context(), f.store, point)
	} else {
		_, err = f.restore(point)
	}
	check.Equal(f.t, what+": "+name+" is refused", errors.Is(err, backup.ErrDamaged), needed)
}

// TestSurvivesFailures lets each operation of a backup be the last one.
func TestSurvivesFailures(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blob.NewFolder(t.TempDir()))
	f.keep = 2
	f.files["00000000.journal"] = random(3_000)
	f.same(f.create().Point)
	failures := 0
	for left := 0; ; left++ {
		f.files["00000000.journal"] = append(f.files["00000000.journal"], random(100)...)
		result, err := f.tryCreate(&failing{f.store, left})
		check.Equal(t, "problems", len(f.verify().Problems), 0)
		if err == nil && result.Unpruned == nil {
			f.same(result.Point)
			break
		}
		failures++
		if err == nil {
			f.same(result.Point)
		}
		f.same(f.create().Point) // it cleans up, so that the next one has as much to do
	}
	check.Equal(t, "failures were injected", failures > 8, true)
	f.same(f.create().Point)
}

func TestDamagedPointsStopPruning(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	f := newFixture(t, blob.NewFolder(folder))
	f.files["00000000.journal"] = random(3_000)
	first := f.create().Point
	path := filepath.Join(folder, "points", first.ID+".json")
	check.OK(t, os.WriteFile(path, []byte("{}"), 0o600))
	f.keep = 1
	second := f.create()
	check.Equal(t, "problems", len(second.Problems), 1)
	check.Equal(t, "pruned", len(second.Pruned), 0)
	f.same(second.Point)
	check.Equal(t, "files of both", len(f.names()), 8)
}

func TestCopiesAgainWhatTheTargetLost(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blob.NewFolder(t.TempDir()))
	f.files["00000000.journal"] = random(3_000)
	check.OK(t, f.store.Delete(t.Context(), f.create().Point.Journal[0].Parts[0].Name))
	f.same(f.create().Point)
}

func TestRefusesAnotherInstallation(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blob.NewFolder(t.TempDir()))
	f.create()
	before := f.names()
	f.src.Installation = "two"
	_, err := f.tryCreate(f.store)
	if err == nil || !strings.Contains(err.Error(), "has backups of installation one, and this is installation two") {
		t.Error(err)
	}
	check.Equal(t, "files", strings.Join(f.names(), " "), strings.Join(before, " "))
}

func TestPointsOfAClockThatWasSetBack(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blob.NewFolder(t.TempDir()))
	first := f.create().Point
	f.now = f.now.AddDate(-1, 0, 0)
	f.files["00000000.journal"] = random(10)
	second := f.create().Point
	check.Equal(t, "the second is the newer", second.ID > first.ID, true)
}

func TestRestoredHolesTakeNoSpace(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blob.NewFolder(t.TempDir()))
	f.files["00000000.journal"] = slices.Concat(random(5_000), make([]byte, 4<<20), random(5_000), make([]byte, 1<<20))
	result := f.create()
	check.Equal(t, "holes are not stored", result.Written < 100_000, true)
	f.same(result.Point)
	folder := check.Must(f.restore(result.Point))(t)
	stat, ok := check.Must(os.Stat(filepath.Join(folder, "journal", "00000000.journal")))(t).Sys().(*syscall.Stat_t)
	check.Equal(t, "holes take no space", ok && stat.Blocks*512 < 1<<20, true)
}

// TestManifestsStayInside refuses names that would be written elsewhere.
func TestManifestsStayInside(t *testing.T) {
	t.Parallel()
	f := newFixture(t, blob.NewFolder(t.TempDir()))
	f.src.Journal = []backup.Segment{{
		Name: "../../evil.journal", Size: 1, Content: bytes.NewReader([]byte("x")), Check: func(int64) ([]string, error) { return nil, nil },
	}}
	_, err := f.tryCreate(f.store)
	check.Equal(t, "refused", err != nil, true)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	sealed := check.Must(backup.SealKey([]byte("the key"), "open sesame"))(t)
	check.Equal(t, "is encrypted", bytes.Contains(sealed, []byte("the key")), false)
	check.Equal(t, "key", string(check.Must(backup.OpenKey(sealed, "open sesame"))(t)), "the key")
	_, err := backup.OpenKey(sealed, "open barley")
	check.Equal(t, "wrong passphrase", errors.Is(err, backup.ErrPassphrase), true)
	sealed[len(sealed)-1] ^= 1
	_, err = backup.OpenKey(sealed, "open sesame")
	check.Equal(t, "damaged", err != nil && !errors.Is(err, backup.ErrPassphrase), true)
}
