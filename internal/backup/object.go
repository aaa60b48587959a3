package backup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/promptuary/promptuary/internal/blob"
)

// counter is a checksum that counts its bytes.
type counter struct {
	hash.Hash
	bytes int64
}

// Write adds bytes.
func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return c.Hash.Write(b)
}

func (c *counter) text() string { return hex.EncodeToString(c.Sum(nil)) }

// check reads a file of a target, and compares its size and checksum.
func check(ctx context.Context, store blob.Store, object Object) error {
	return fetch(ctx, store, object, func(io.Reader) error { return nil })
}

// fetch passes the content of a file of a target to use, and compares its size and
// checksum, whatever use made of it.
func fetch(ctx context.Context, store blob.Store, object Object, use func(io.Reader) error) error {
	stored, err := store.Get(ctx, object.Name, 0)
	if blob.Is(err, blob.Missing) {
		return damaged("%s is missing", object.Name)
	}
	if err != nil {
		return err
	}
	defer func() { _ = stored.Close() }() // what was read is compared
	sum := &counter{Hash: sha256.New()}
	// One more byte than expected is enough to tell.
	content := io.TeeReader(io.LimitReader(stored, object.Size+1), sum)
	useErr := use(content)
	if _, err := io.Copy(io.Discard, content); err != nil {
		return cmp.Or(useErr, err)
	}
	switch {
	case sum.bytes < object.Size:
		return damaged("%s has %d bytes instead of %d", object.Name, sum.bytes, object.Size)
	case sum.bytes > object.Size:
		return damaged("%s has more than %d bytes", object.Name, object.Size)
	case sum.text() != object.SHA256:
		return damaged("%s has a wrong checksum", object.Name)
	}
	return useErr
}

// bytesOf returns the content of a small file of a target.
func bytesOf(ctx context.Context, store blob.Store, object Object) (content []byte, err error) {
	err = fetch(ctx, store, object, func(from io.Reader) (err error) {
		content, err = io.ReadAll(from)
		return err
	})
	return content, err
}

// unpack decompresses a file of a target.
func unpack(ctx context.Context, store blob.Store, object Object, to io.Writer) error {
	return fetch(ctx, store, object, func(from io.Reader) error {
		decoder, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		defer decoder.Close()
		_, err = io.Copy(to, decoder)
		return err
	})
}
