package reqlog

import (
	"encoding/json"
	"slices"
)

// Annotation is a change to the notes of one log. Exactly one field is set,
// except that variables accompany a prompt.
type Annotation struct {
	// Metadata replaces the members with the same keys and adds the others.
	Metadata []Member
	// Score replaces or adds the score with its name.
	Score *Score
	// Prompt replaces the prompt link, and Variables the input variables.
	Prompt    *PromptLink
	Variables json.RawMessage
	// GroupID, if not 0, replaces the group.
	GroupID int64
	// RemovedKeys removes the members with these keys, and RemovedScores the scores
	// with these names.
	RemovedKeys, RemovedScores []string
	// RemovedPaths removes everything under these keys, as filters name them: with
	// dots between nested ones.
	RemovedPaths []string
}

// Removes reports whether the annotation removes something.
func (a *Annotation) Removes() bool {
	return len(a.RemovedKeys)+len(a.RemovedScores)+len(a.RemovedPaths) > 0
}

// Apply changes the notes of the log and everything derived from them. Applying
// all annotations of a log in the order in which they were accepted yields its
// current state.
func (a Annotation) Apply(l *Log) {
	if len(a.Metadata) > 0 {
		// Copy the slice: a reader may share the members of the log.
		l.Metadata = MergeMembers(append([]Member(nil), l.Metadata...), a.Metadata)
		l.Index.Metadata = FlattenMembers(l.Metadata)
	}
	if a.Score != nil {
		l.Scores = setScore(append([]Score(nil), l.Scores...), *a.Score)
		if a.Score.Name == DefaultScore {
			l.Score = a.Score.Value
		}
	}
	if a.Prompt != nil {
		l.Prompt, l.Variables = a.Prompt, a.Variables
		if l.TextsDeleted {
			l.Variables = nil // they would be its only text
		}
		l.Index.Variables = FlattenVariables(&l.Notes)
	}
	if a.GroupID != 0 {
		l.GroupID = a.GroupID
	}
	a.remove(l)
}

// remove removes members and scores. It leaves slices that readers may share as they
// are.
func (a *Annotation) remove(l *Log) {
	if len(a.RemovedKeys)+len(a.RemovedPaths) > 0 {
		l.Metadata = a.left(l.Metadata)
		l.Index.Metadata = FlattenMembers(l.Metadata)
	}
	if len(a.RemovedScores) > 0 {
		l.Scores = slices.DeleteFunc(slices.Clone(l.Scores), func(s Score) bool { return slices.Contains(a.RemovedScores, s.Name) })
		if slices.Contains(a.RemovedScores, DefaultScore) {
			l.Score = 0
		}
	}
}

// DefaultScore is the name of a score that was sent without one.
const DefaultScore = "default"

func setScore(scores []Score, score Score) []Score {
	for i := range scores {
		if scores[i].Name == score.Name {
			scores[i].Value = score.Value
			return scores
		}
	}
	return append(scores, score)
}

// MergeMembers replaces the members with the keys of the changes and appends
// the others. It modifies members.
func MergeMembers(members, changes []Member) []Member {
	at := make(map[string]int, len(members)+len(changes))
	for i, m := range members {
		at[m.Key] = i
	}
	for _, change := range changes {
		if i, ok := at[change.Key]; ok {
			members[i].Value = change.Value
			continue
		}
		at[change.Key] = len(members)
		members = append(members, change)
	}
	return members
}
