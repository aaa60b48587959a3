package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// BucketOptions say where a bucket is and who asks.
type BucketOptions struct {
	// Endpoint is the address of the service, such as
	// https://minio.example.com:9000. The default is that of AWS in the region.
	Endpoint string
	// Region is the region of the bucket. The default is us-east-1.
	Region string
	Bucket string
	// Prefix begins the names of all blobs in the bucket. It ends with a slash,
	// or is empty.
	Prefix      string
	Credentials Credentials
	// Client makes the calls. The default is http.DefaultClient.
	Client *http.Client
	// PartSize is the size of the parts of an upload, which are held in memory
	// one at a time. The default is 8 MiB. Parts grow with the number of parts.
	PartSize int
	// Tries is how often a call is made before it fails. The default is 4.
	Tries int
}

// Credentials identify the caller. They print as nothing.
type Credentials struct{ AccessKey, SecretKey, SessionToken string }

// Format prints that there are credentials, and never what they are.
func (c Credentials) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "[credentials]") }

// CredentialsFrom reads credentials from the environment variables that clients
// of AWS share.
func CredentialsFrom(getenv func(string) string) Credentials {
	return Credentials{getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY"), getenv("AWS_SESSION_TOKEN")}
}

const (
	defaultRegion   = "us-east-1"
	defaultPartSize = 8 << 20
	defaultTries    = 4
)

// Bucket is a Store in a bucket of an S3-compatible service.
type Bucket struct {
	options BucketOptions
	client  *s3.Client
}

// NewBucket returns the store in a bucket. It makes no call.
func NewBucket(o BucketOptions) (*Bucket, error) {
	if o.Bucket == "" || strings.ContainsAny(o.Bucket, "/ ") {
		return nil, failed(Failed, nil, "%q cannot be the name of a bucket", o.Bucket)
	}
	if o.Credentials.AccessKey == "" || o.Credentials.SecretKey == "" {
		return nil, failed(Denied, nil, "there are no credentials for the bucket %s", o.Bucket)
	}
	if o.Region == "" {
		o.Region = defaultRegion
	}
	if o.PartSize <= 0 {
		o.PartSize = defaultPartSize
	}
	if o.Tries <= 0 {
		o.Tries = defaultTries
	}
	if o.Client == nil {
		o.Client = http.DefaultClient
	}
	return &Bucket{options: o, client: s3.New(clientOptions(o))}, nil
}

func clientOptions(o BucketOptions) s3.Options {
	options := s3.Options{
		Region: o.Region, HTTPClient: o.Client, RetryMaxAttempts: o.Tries,
		// Services other than AWS often do not know the newer checksums.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			c := o.Credentials
			return aws.Credentials{AccessKeyID: c.AccessKey, SecretAccessKey: c.SecretKey, SessionToken: c.SessionToken}, nil
		}),
	}
	if o.Endpoint != "" {
		options.BaseEndpoint, options.UsePathStyle = &o.Endpoint, true
	}
	return options
}

// String returns the address of the bucket.
func (b *Bucket) String() string { return "s3://" + b.options.Bucket + "/" + b.options.Prefix }

func (b *Bucket) key(name string) *string { return aws.String(b.options.Prefix + name) }

// Get implements Store.
func (b *Bucket) Get(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	input := s3.GetObjectInput{Bucket: &b.options.Bucket, Key: b.key(name)}
	if offset > 0 {
		input.Range = aws.String(fmt.Sprintf("bytes=%d-", offset))
	}
	got, err := b.client.GetObject(ctx, &input)
	if err != nil {
		return nil, b.explain(ctx, name, err)
	}
	return &bucketReader{got.Body, func(err error) error { return b.explain(ctx, name, err) }}, nil
}

// bucketReader explains the errors of a response that breaks.
type bucketReader struct {
	io.ReadCloser
	explain func(error) error
}

// Read implements io.Reader.
func (r *bucketReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = r.explain(err)
	}
	return n, err
}

// Stat implements Store.
func (b *Bucket) Stat(ctx context.Context, name string) (Info, error) {
	if err := CheckName(name); err != nil {
		return Info{}, err
	}
	got, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.options.Bucket, Key: b.key(name)})
	if err != nil {
		return Info{}, b.explain(ctx, name, err)
	}
	return Info{Name: name, Size: aws.ToInt64(got.ContentLength), Time: aws.ToTime(got.LastModified)}, nil
}

// Delete implements Store.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.options.Bucket, Key: b.key(name)})
	if err = b.explain(ctx, name, err); Is(err, Missing) {
		return nil
	}
	return err
}

// List implements Store.
func (b *Bucket) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		pages := s3.NewListObjectsV2Paginator(b.client, &s3.ListObjectsV2Input{Bucket: &b.options.Bucket, Prefix: b.key(prefix)})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(Info{}, b.explain(ctx, prefix, err))
				return
			}
			for _, object := range page.Contents {
				name := strings.TrimPrefix(aws.ToString(object.Key), b.options.Prefix)
				if !yield(Info{Name: name, Size: aws.ToInt64(object.Size), Time: aws.ToTime(object.LastModified)}, nil) {
					return
				}
			}
		}
	}
}

// Sweep implements Store.
func (b *Bucket) Sweep(ctx context.Context, prefix string, before time.Time) error {
	pages := s3.NewListMultipartUploadsPaginator(b.client, &s3.ListMultipartUploadsInput{Bucket: &b.options.Bucket, Prefix: b.key(prefix)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return b.explain(ctx, prefix, err)
		}
		for _, upload := range page.Uploads {
			if !aws.ToTime(upload.Initiated).Before(before) {
				continue
			}
			if err := b.abort(ctx, upload.Key, upload.UploadId); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *Bucket) abort(ctx context.Context, key, upload *string) error {
	_, err := b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &b.options.Bucket, Key: key, UploadId: upload})
	if err = b.explain(ctx, aws.ToString(key), err); Is(err, Missing) {
		return nil
	}
	return err
}
