package textindex

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOtherVersion expects an index to start anew if its texts or the format of
// its files are not those of the program, which is no damage.
func TestOtherVersion(t *testing.T) {
	t.Parallel()
	files, names, c, docs := savedIndex(t, 75, 200)
	last := docs[len(docs)-1].id
	for name, tc := range map[string]struct {
		version uint32
		magic   string
		kept    int64
	}{
		"the same":         {0, magic, last},
		"other texts":      {1, magic, none},
		"the first format": {0, formerMagics[0], none},
		"the format after": {0, formerMagics[1], none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := restore(t, files)
			for _, file := range names {
				data := append([]byte(tc.magic), files[file][len(magic):len(files[file])-len(magic)]...)
				if err := os.WriteFile(filepath.Join(dir, file), append(data, tc.magic...), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			sum, err := Check(dir, tc.version)
			if err != nil || sum.Last != tc.kept || len(sum.Damaged) > 0 {
				t.Errorf("check: %+v, %v; want last %d and no damage", sum, err, tc.kept)
			}
			opts := tinyOptions()
			opts.Version = tc.version
			ix := openIndex(t, dir, opts)
			if ix.Last() != tc.kept {
				t.Errorf("last is %d, want %d", ix.Last(), tc.kept)
			}
			if left := filesOf(t, dir); tc.kept == none && len(left) > 0 {
				t.Errorf("files of the other version are left: %q", left)
			}
			checkRebuilt(t, ix, c, docs)
		})
	}
}
