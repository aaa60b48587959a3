package kit

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/rest"
)

// Raw returns a handler that writes its own answer, which out stands for in the
// documentation. The handler gets the input that is documented.
func Raw[In any](out any, fn func(w http.ResponseWriter, r *rest.Request, in *In) error) rest.Handler {
	return rest.Raw(*new(In), out, func(w http.ResponseWriter, r *rest.Request) error {
		in := new(In)
		if err := r.Bind(in); err != nil {
			return err
		}
		return fn(w, r, in)
	})
}
