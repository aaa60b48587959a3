// Package secret seals values that must be kept and must not be read by who
// gets hold of the store: with AES-256-GCM, each for the one place it belongs
// to.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrCannotOpen says that a sealed value was sealed with another key or for
// another place, or was changed since; which of them cannot be told.
var ErrCannotOpen = errors.New("sealed with another key, for another place, or damaged")

// version begins everything that is sealed and says how to open the rest. A
// further key or another cipher gets the next one, so that what was sealed
// before can still be opened and sealed anew.
const version = 1

// Place is where a sealed value belongs. What was sealed for one place cannot
// be opened for another, so that whoever can write to the store cannot move a
// value to where they can see it.
type Place struct {
	// Scope says what sort of thing has the value.
	Scope string
	// Workspace and Owner say whose it is.
	Workspace, Owner int64
	Name             string
}

// additionalData returns the place as bytes that no other place has.
func (p Place) additionalData() []byte {
	data := []byte{version}
	for _, text := range []string{p.Scope, p.Name} {
		data = binary.AppendUvarint(data, uint64(len(text)))
		data = append(data, text...)
	}
	data = binary.BigEndian.AppendUint64(data, uint64(p.Workspace))
	return binary.BigEndian.AppendUint64(data, uint64(p.Owner))
}

// Box seals and opens values with one key. It is safe for concurrent use.
type Box struct{ aead cipher.AEAD }

// NewBox returns a box with the key.
func NewBox(key Key) *Box {
	block, err := aes.NewCipher(key.bytes[:])
	if err != nil {
		panic(err) // the key has a length that AES takes
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES has the block size that GCM takes
	}
	return &Box{aead}
}

// Seal returns the value such that only Open with the same key and place gets
// it back. The same value is sealed differently each time.
func (b *Box) Seal(value []byte, place Place) []byte {
	return b.aead.Seal([]byte{version}, nil, value, place.additionalData())
}

// Open returns the value that was sealed for the place. The error is
// ErrCannotOpen when there is none under this key; it never has a part of the
// value.
func (b *Box) Open(sealed []byte, place Place) ([]byte, error) {
	if len(sealed) == 0 {
		return nil, ErrCannotOpen
	}
	if sealed[0] != version {
		return nil, fmt.Errorf("sealed in the form %d, which this program does not know: %w", sealed[0], ErrCannotOpen)
	}
	value, err := b.aead.Open(nil, nil, sealed[1:], place.additionalData())
	if err != nil {
		return nil, ErrCannotOpen
	}
	return value, nil
}
