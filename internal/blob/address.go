package blob

import (
	"net/http"
	"net/url"
	"strings"
)

// scheme begins the addresses of buckets.
const scheme = "s3://"

// Open returns the store at an address that an operator gave: the path of a
// folder, or s3://bucket/prefix. The environment has the credentials, the region
// (AWS_REGION) and the endpoint (AWS_ENDPOINT_URL) of the service.
func Open(address string, getenv func(string) string, client *http.Client) (Store, error) {
	if !strings.HasPrefix(address, scheme) {
		return NewFolder(address), nil
	}
	bucket, prefix, err := ParseBucket(address)
	if err != nil {
		return nil, err
	}
	return NewBucket(BucketOptions{
		Bucket: bucket, Prefix: prefix, Region: getenv("AWS_REGION"), Endpoint: getenv("AWS_ENDPOINT_URL"),
		Credentials: CredentialsFrom(getenv), Client: client,
	})
}

// ParseBucket reads an address such as s3://bucket/prefix. The prefix ends with
// a slash, or is empty.
func ParseBucket(address string) (bucket, prefix string, err error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "s3" || parsed.Host == "" || parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "" {
		return "", "", failed(Failed, nil, "the address of a bucket has to be s3://bucket or s3://bucket/prefix, without credentials")
	}
	if prefix = strings.Trim(parsed.Path, "/"); prefix == "" {
		return parsed.Host, "", nil
	}
	if err := CheckName(prefix); err != nil {
		return "", "", err
	}
	return parsed.Host, prefix + "/", nil
}
