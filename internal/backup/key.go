package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
)

// ErrPassphrase says that a key cannot be decrypted with a passphrase.
var ErrPassphrase = errors.New("the passphrase is wrong")

// workFactor makes guessing passphrases expensive. Tests replace it.
var workFactor = 18

// SealKey encrypts a secret key with a passphrase, so that the program age can
// decrypt it, too.
func SealKey(key []byte, passphrase string) ([]byte, error) {
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, fmt.Errorf("encrypt the secret key: %w", err)
	}
	recipient.SetWorkFactor(workFactor)
	var sealed bytes.Buffer
	writer, err := age.Encrypt(&sealed, recipient)
	if err == nil {
		_, err = writer.Write(key)
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("encrypt the secret key: %w", err)
	}
	return sealed.Bytes(), nil
}

// maxKey limits the size of a decrypted key.
const maxKey = 1 << 10

// OpenKey decrypts what SealKey returned.
func OpenKey(sealed []byte, passphrase string) ([]byte, error) {
	identity, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, fmt.Errorf("decrypt the secret key: %w", err)
	}
	reader, err := age.Decrypt(bytes.NewReader(sealed), identity)
	if _, wrong := errors.AsType[*age.NoIdentityMatchError](err); wrong {
		return nil, ErrPassphrase
	}
	if err != nil {
		return nil, fmt.Errorf("decrypt the secret key: %w", err)
	}
	key, err := io.ReadAll(io.LimitReader(reader, maxKey))
	if err != nil {
		return nil, fmt.Errorf("decrypt the secret key: %w", err)
	}
	return key, nil
}
