package entities

import (
	"github.com/promptuary/promptuary/internal/entity"
)

// nameScope returns the value of the column name_scope for an entity of the
// kind in the folder: nil when names need not be unique.
func nameScope(k entity.Kind, folder *int64) *int64 {
	scope := int64(0)
	switch traits, _ := entity.TraitsOf(k); traits.Names {
	case entity.UniqueNowhere:
		return nil
	case entity.UniqueInFolder:
		if folder != nil {
			scope = *folder
		}
	}
	return &scope
}
