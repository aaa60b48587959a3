package blob

import (
	"context"
	"errors"
	"net/http"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
)

// explain converts an error of the client. It never repeats what the service
// wrote, which may contain the request.
func (b *Bucket) explain(ctx context.Context, name string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	bucket := b.options.Bucket
	switch reasonOf(err) {
	case Missing:
		return failed(Missing, err, "%s does not exist in the bucket %s", name, bucket)
	case NoStore:
		return failed(NoStore, err, "the bucket %s does not exist", bucket)
	case Denied:
		return failed(Denied, err, "the credentials do not give access to the bucket %s", bucket)
	case Full:
		return failed(Full, err, "the bucket %s is full", bucket)
	case Away:
		return failed(Away, err, "the service of the bucket %s cannot be reached", bucket)
	}
	return failed(Failed, err, "the service of the bucket %s refused the request", bucket)
}

// reasons are the codes of services that have a reason of their own.
var reasons = map[string]Reason{
	"NoSuchKey": Missing, "NotFound": Missing, "NoSuchUpload": Missing,
	"NoSuchBucket": NoStore,
	"AccessDenied": Denied, "InvalidAccessKeyId": Denied, "SignatureDoesNotMatch": Denied, "ExpiredToken": Denied, "InvalidToken": Denied,
	"RequestTimeTooSkewed": Denied, "AccountProblem": Denied,
	"QuotaExceeded": Full, "XMinioStorageFull": Full, "InsufficientStorage": Full,
}

func reasonOf(err error) Reason {
	var coded smithy.APIError
	if errors.As(err, &coded) {
		if reason, ok := reasons[coded.ErrorCode()]; ok {
			return reason
		}
	}
	var response *awshttp.ResponseError
	if !errors.As(err, &response) || response.HTTPStatusCode() == 0 {
		return Away // there was no response
	}
	switch status := response.HTTPStatusCode(); {
	case status == http.StatusForbidden || status == http.StatusUnauthorized:
		return Denied
	case status == http.StatusNotFound:
		return Missing
	case status == http.StatusInsufficientStorage:
		return Full
	case status >= 500 || status == http.StatusTooManyRequests:
		return Away
	}
	return Failed
}
