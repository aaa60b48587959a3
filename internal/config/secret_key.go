package config

import sealing "github.com/promptuary/promptuary/internal/secret"

func validKey(text string) bool {
	_, err := sealing.ParseKey(text)
	return err == nil
}
