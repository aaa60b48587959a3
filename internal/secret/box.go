// Package secret encrypts stored values, so that access to the store is not
// enough to read them. It uses AES-256-GCM and binds each value to the place
// where it belongs.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrCannotOpen means that a value was sealed with another key or for another
// place, or was modified since; these cases cannot be distinguished.
var ErrCannotOpen = errors.New("sealed with another key, for another place, or damaged")

// version is the first byte of every sealed value and determines its format.
// A change of key or cipher needs a new version, so that older values can
// still be opened.
const version = 1

// Place is where a sealed value belongs. A value sealed for one place cannot
// be opened for another, so write access to the store is not enough to move a
// value to where it can be read.
type Place struct {
	// Scope is the type of the owner.
	Scope string
	// Workspace and Owner identify the owner.
	Workspace, Owner int64
	Name             string
}

// additionalData returns a unique encoding of the place.
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
		panic(err) // the length of the key is valid
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // the block size of AES is valid
	}
	return &Box{aead}
}

// Seal encrypts the value for the place. Sealing the same value again gives a
// different result.
func (b *Box) Seal(value []byte, place Place) []byte {
	return b.aead.Seal([]byte{version}, nil, value, place.additionalData())
}

// Open returns the value that was sealed for the place. The error wraps
// ErrCannotOpen and never contains part of the value.
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
