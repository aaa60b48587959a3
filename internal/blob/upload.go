package blob

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// abortTimeout limits the call that removes the parts of a failed upload.
const abortTimeout = 30 * time.Second

// Put implements Store. What fits into one part is one call; the rest is an
// upload in parts, which the service puts together in the end.
func (b *Bucket) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	if err := CheckName(name); err != nil {
		return err
	}
	u := &upload{b: b, ctx: ctx, name: name, part: make([]byte, 0, b.options.PartSize)}
	err := write(u)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = u.finish()
	}
	if err != nil && u.id != nil {
		// The context may have ended, and the parts cost money.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
		defer cancel()
		err = also(err, b.abort(ctx, b.key(name), u.id))
	}
	return err
}

// upload is an io.Writer that sends a part when it is full.
type upload struct {
	b     *Bucket
	ctx   context.Context
	name  string
	part  []byte
	id    *string // nil before the first part
	parts []types.CompletedPart
}

// Write implements io.Writer.
func (u *upload) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if len(u.part) == cap(u.part) {
			if err := u.send(); err != nil {
				return n, err
			}
		}
		fits := min(len(p), cap(u.part)-len(u.part))
		u.part = append(u.part, p[:fits]...)
		p, n = p[fits:], n+fits
	}
	return n, nil
}

// growEvery is the number of parts after which parts double, so that the 10,000
// parts that services allow are enough for the largest object of 5 TiB.
const growEvery = 1000

// send uploads the part.
func (u *upload) send() error {
	if err := u.begin(); err != nil {
		return err
	}
	number := aws.Int32(int32(len(u.parts) + 1))
	sent, err := u.b.client.UploadPart(u.ctx, &s3.UploadPartInput{
		Bucket: &u.b.options.Bucket, Key: u.b.key(u.name), UploadId: u.id, PartNumber: number, Body: bytes.NewReader(u.part),
	})
	if err != nil {
		return u.b.explain(u.ctx, u.name, err)
	}
	u.parts = append(u.parts, types.CompletedPart{PartNumber: number, ETag: sent.ETag})
	if size := cap(u.part); len(u.parts)%growEvery == 0 {
		u.part = make([]byte, 0, 2*size)
	}
	u.part = u.part[:0]
	return nil
}

func (u *upload) begin() error {
	if u.id != nil {
		return nil
	}
	begun, err := u.b.client.CreateMultipartUpload(u.ctx, &s3.CreateMultipartUploadInput{Bucket: &u.b.options.Bucket, Key: u.b.key(u.name)})
	if err != nil {
		return u.b.explain(u.ctx, u.name, err)
	}
	u.id = begun.UploadId
	return nil
}

// finish makes the blob visible.
func (u *upload) finish() error {
	if u.id == nil {
		_, err := u.b.client.PutObject(u.ctx, &s3.PutObjectInput{Bucket: &u.b.options.Bucket, Key: u.b.key(u.name), Body: bytes.NewReader(u.part)})
		return u.b.explain(u.ctx, u.name, err)
	}
	if len(u.part) > 0 {
		if err := u.send(); err != nil {
			return err
		}
	}
	_, err := u.b.client.CompleteMultipartUpload(u.ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &u.b.options.Bucket, Key: u.b.key(u.name), UploadId: u.id, MultipartUpload: &types.CompletedMultipartUpload{Parts: u.parts},
	})
	return u.b.explain(u.ctx, u.name, err)
}
