package registry

import (
	"context"
	"embed"
	"io/fs"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/skill"
)

// data contains the files of skills, the definitions of workflows, and the
// charts of dashboards.
//
//go:embed data
var data embed.FS

// demoSkill is a skill collection. data/skills/NAME/n contains the files that
// version n changes.
type demoSkill struct {
	name, folder string
	commits      []string
	// released is the number of the version with a release label.
	released int
}

var demoSkills = []demoSkill{
	{
		name: "refund-desk", folder: support, released: 2,
		commits: []string{"How refunds are decided", "A script that checks the deadline", "Gift cards are an exception"},
	},
	{
		name: "release-notes", folder: tools, released: 3,
		commits: []string{"Notes from merged changes", "Sort by kind of change", "The style guide in a file of its own"},
	},
}

func (f *Filler) addSkills(ctx context.Context) error {
	for i := range demoSkills {
		if err := f.addSkill(ctx, &demoSkills[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *Filler) addSkill(ctx context.Context, s *demoSkill) error {
	_, have, err := f.Skills.ListVersions(ctx, f.Workspace, s.name, entity.Page{Limit: 1})
	if fault.Is(err, fault.NotFound) {
		_, err = f.Skills.Create(ctx, f.Workspace, skill.CreateInput{
			Name: s.name, FolderID: f.FolderID(s.folder), Author: skill.Author{Email: &ada},
		})
	}
	for i := int(have); i < len(s.commits) && err == nil; i++ {
		err = f.saveSkill(ctx, s, i)
	}
	return err
}

func (f *Filler) saveSkill(ctx context.Context, s *demoSkill, version int) error {
	number := version + 1
	files, err := filesBelow("data/skills/" + s.name + "/" + strconv.Itoa(number))
	if err != nil {
		return err
	}
	in := skill.SaveInput{Files: files, CommitMessage: &s.commits[version], Author: skill.Author{Email: authorOf(version)}}
	if number == s.released {
		in.Label = "prod"
	}
	_, err = f.Skills.Save(ctx, f.Workspace, s.name, in)
	return err
}

func filesBelow(root string) ([]skill.Content, error) {
	var files []skill.Content
	err := fs.WalkDir(data, root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, skill.Content{
				Path: strings.TrimPrefix(path, root+"/"),
				Read: func() ([]byte, error) { return data.ReadFile(path) },
			})
		}
		return err
	})
	return files, err
}
