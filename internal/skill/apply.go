package skill

import (
	"maps"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// Move moves a file, or everything in a folder, to another path.
type Move struct{ From, To string }

// tree is the files of a version by path. Changes refer to files by these
// paths, or by their paths in the export for the provider.
type tree struct {
	files    map[string]File
	provider string
	// exports caches export paths.
	exports map[string]string
}

func newTree(files []File, provider string) *tree {
	t := &tree{make(map[string]File, len(files)), provider, map[string]string{}}
	for _, file := range files {
		t.files[file.Path] = file
	}
	return t
}

// list returns the files in the order of their paths.
func (t *tree) list() []File {
	files := make([]File, 0, len(t.files))
	for _, path := range slices.Sorted(maps.Keys(t.files)) {
		file := t.files[path]
		file.Path = path
		files = append(files, file)
	}
	return files
}

// apply makes changes in a fixed order: deletes free paths for moves, and
// uploads override both. The fault is BadRequest if a change cannot be made.
func (t *tree) apply(deletes []string, moves []Move, archive, updates []upload) error {
	if err := t.remove(deletes); err != nil {
		return err
	}
	for _, move := range moves {
		if err := t.move(move); err != nil {
			return err
		}
	}
	for _, list := range [][]upload{archive, updates} {
		if err := t.put(list); err != nil {
			return err
		}
	}
	return nil
}

// named is a file that a change refers to, and the rest of its path.
type named struct{ path, rest string }

// find returns the file with the clean path, or all files in that folder.
func (t *tree) find(path string) []named {
	if found := t.below(path, func(stored string) string { return stored }); len(found) > 0 {
		return found
	}
	if !strings.HasPrefix(path+"/", layouts[t.provider].prefix) {
		return nil
	}
	return t.below(path, t.export)
}

// export returns the export path of a file.
func (t *tree) export(path string) string {
	exported, known := t.exports[path]
	if !known {
		exported = ExportPath(t.provider, path)
		t.exports[path] = exported
	}
	return exported
}

func (t *tree) below(path string, seen func(stored string) string) []named {
	var found []named
	for stored := range t.files {
		rest, ok := strings.CutPrefix(seen(stored), path)
		if ok && (rest == "" || rest[0] == '/') {
			found = append(found, named{stored, rest})
		}
	}
	return found
}

// remove deletes files. It finds all of them before deleting the first, so that
// a folder and a file in it can be listed together.
func (t *tree) remove(paths []string) error {
	seen := map[string]bool{}
	var gone []named
	for _, path := range paths {
		clean, err := CleanPath(path)
		if err != nil {
			return err
		}
		if seen[clean] {
			return badPath(path, "is deleted twice")
		}
		seen[clean] = true
		found := t.find(clean)
		if len(found) == 0 {
			return badPath(path, "cannot be deleted: file or folder not found")
		}
		gone = append(gone, found...)
	}
	for _, file := range gone {
		delete(t.files, file.path)
	}
	return nil
}

func (t *tree) move(move Move) error {
	from, err := CleanPath(move.From)
	if err != nil {
		return err
	}
	to, err := CleanPath(move.To)
	if err != nil {
		return err
	}
	found := t.find(from)
	if len(found) == 0 {
		return badPath(move.From, "cannot be moved: file or folder not found")
	}
	// All files are removed before the first is added, so that a folder can be
	// moved into one of its subfolders.
	moving := make([]File, len(found))
	for i, file := range found {
		moving[i] = t.files[file.path]
		delete(t.files, file.path)
	}
	for i, file := range found {
		target, err := ImportPath(to + file.rest)
		if err != nil {
			return err
		}
		if _, taken := t.files[target]; taken {
			return badPath(move.To, "cannot be moved to: there is a file already")
		}
		t.files[target] = moving[i]
	}
	return nil
}

// put adds and replaces files. A replaced file keeps its mode unless a new one
// was sent.
func (t *tree) put(uploads []upload) error {
	exported := t.exported()
	seen := map[string]bool{}
	for _, one := range uploads {
		path, known := exported[one.path]
		if !known {
			imported, err := ImportPath(one.path)
			if err != nil {
				return err
			}
			path = imported
		}
		if seen[path] {
			return badPath(one.path, "is sent twice")
		}
		seen[path] = true
		file := one.file
		if file.Mode == 0 {
			file.Mode = t.files[path].Mode
		}
		t.files[path] = file
	}
	return nil
}

// exported returns the paths of files by export path.
func (t *tree) exported() map[string]string {
	paths := make(map[string]string, len(t.files))
	for path := range t.files {
		paths[t.export(path)] = path
	}
	return paths
}

// check returns a BadRequest fault if export paths conflict, or if there are
// too many files or they are too large.
func (t *tree) check() error {
	if len(t.files) > MaxFiles {
		return tooMany()
	}
	total := int64(0)
	for path, file := range t.files {
		if total += file.Size; total > MaxTotal {
			return tooLarge()
		}
		if len([]rune(path)) > maxPath {
			return badPath(path, "must not be longer than 1024 characters")
		}
	}
	exported := t.exported()
	if len(exported) < len(t.files) {
		return fault.BadRequestf("Two files would have the same path for the provider %s", t.provider)
	}
	for path := range exported {
		for at := strings.LastIndexByte(path, '/'); at > 0; at = strings.LastIndexByte(path[:at], '/') {
			if _, isFile := exported[path[:at]]; isFile {
				return badPath(path[:at], "is both a file and a folder")
			}
		}
	}
	return nil
}
