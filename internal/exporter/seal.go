package exporter

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/secret"
)

func place(workspace, id int64) secret.Place {
	return secret.Place{Scope: "export", Workspace: workspace, Owner: id, Name: "credentials"}
}

// sealed is the form of credentials that is sealed.
type sealed struct {
	AccessKey    string `json:"access_key"`
	SecretKey    string `json:"secret_key"`
	SessionToken string `json:"session_token"`
}

func (s *Service) seal(workspace, id int64, c *blob.Credentials) []byte {
	if c == nil {
		return []byte{}
	}
	text, err := json.Marshal(sealed(*c))
	if err != nil {
		panic(err) // texts can always be encoded
	}
	return s.options.Box.Seal(text, place(workspace, id))
}

func (s *Service) unseal(e *Export) (blob.Credentials, error) {
	text, err := s.options.Box.Open(e.Sealed, place(e.Workspace, e.ID))
	var c sealed
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return blob.Credentials{}, fault.Wrap(fault.Conflict, err,
			"The credentials cannot be opened: they were stored with a different secret key, or are damaged; set them again")
	}
	return blob.Credentials(c), nil
}
