package s3

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"quern"
	"quern/blob"
)

// Lending says how keys for others are asked for.
type Lending struct {
	Role     string // whose rights they have, narrowed to a folder; its ARN
	Endpoint string // the URL of the security token service
}

var _ blob.Lender = (*Store)(nil)

// Lend asks the service's security token service for a key of the role's that is
// narrowed to a folder.
func (s *Store) Lend(ctx context.Context, folder string, life time.Duration) (blob.Key, error) {
	policy, err := readPolicy(s.bucket, folder)
	if err != nil {
		return blob.Key{}, err
	}
	role := credentials.STSAssumeRole{
		STSEndpoint: s.lending.Endpoint,
		Options: credentials.STSAssumeRoleOptions{
			AccessKey: s.accessKeyID, SecretKey: s.secretAccessKey, Policy: policy, Location: s.region,
			DurationSeconds: int(life.Seconds()), RoleARN: s.lending.Role, RoleSessionName: "quern",
		},
	}
	client := &http.Client{Transport: s.transport, Timeout: lendTime}
	value, err := role.RetrieveWithCredContext(&credentials.CredContext{Client: client, Context: ctx})
	if err != nil {
		return blob.Key{}, classifyLending(ctx, err)
	}
	if value.AccessKeyID == "" || value.SecretAccessKey == "" || value.SessionToken == "" {
		return blob.Key{}, errLending.Because(errors.New("blob/s3: the answer holds no key"))
	}
	return blob.Key{
		AccessKeyID: value.AccessKeyID, SecretAccessKey: value.SecretAccessKey, SessionToken: value.SessionToken, ExpiresAt: value.Expiration,
	}, nil
}

// lendTime is how long the service may take.
const lendTime = 10 * time.Second

var errLending = quern.E(quern.Internal, quern.CodeInternal, "the object store lends no key")

// classifyLending tells a service that refuses, which our settings must mend, from one
// that is away or overloaded.
func classifyLending(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	refusal, answered := errors.AsType[credentials.ErrorResponse](err)
	err = fmt.Errorf("blob/s3: lending a key: %w", err)
	busy := []string{"InternalError", "InternalFailure", "ServiceUnavailable", "SlowDown", "Throttling", "ThrottlingException"}
	if answered && !slices.Contains(busy, refusal.STSError.Code) {
		return errLending.Because(err)
	}
	return blob.ErrUnreachable.Because(err)
}

// readPolicy allows reading and listing a folder, and nothing else.
func readPolicy(bucket, folder string) (string, error) {
	const all = "arn:aws:s3:::"
	statement := func(action, resource string, condition map[string]any) map[string]any {
		s := map[string]any{"Effect": "Allow", "Action": []string{action}, "Resource": []string{resource}}
		if condition != nil {
			s["Condition"] = condition
		}
		return s
	}
	inFolder := map[string]any{"StringLike": map[string]any{"s3:prefix": []string{folder + "/*"}}}
	text, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": []any{
		statement("s3:GetObject", all+bucket+"/"+folder+"/*", nil),
		statement("s3:ListBucket", all+bucket, inFolder),
		statement("s3:GetBucketLocation", all+bucket, nil),
	}})
	return string(text), err
}
