package blob

import (
	"context"
	"io"
	"iter"
	"strings"
	"time"
)

// Below returns the part of a store whose names begin with a folder, such as a/b.
func Below(store Store, folder string) (Store, error) {
	if err := CheckName(folder); err != nil {
		return nil, err
	}
	return below{store, folder + "/"}, nil
}

// below is a Store in a folder of another one.
type below struct {
	store  Store
	prefix string
}

func (b below) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return b.store.Put(ctx, b.prefix+name, write)
}

func (b below) Get(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	return b.store.Get(ctx, b.prefix+name, offset)
}

func (b below) Stat(ctx context.Context, name string) (Info, error) {
	info, err := b.store.Stat(ctx, b.prefix+name)
	info.Name = strings.TrimPrefix(info.Name, b.prefix)
	return info, err
}

func (b below) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for info, err := range b.store.List(ctx, b.prefix+prefix) {
			info.Name = strings.TrimPrefix(info.Name, b.prefix)
			if !yield(info, err) {
				return
			}
		}
	}
}

func (b below) Delete(ctx context.Context, name string) error {
	return b.store.Delete(ctx, b.prefix+name)
}

func (b below) Sweep(ctx context.Context, prefix string, before time.Time) error {
	return b.store.Sweep(ctx, b.prefix+prefix, before)
}

func (b below) String() string {
	return strings.TrimSuffix(b.store.String(), "/") + "/" + strings.TrimSuffix(b.prefix, "/")
}
