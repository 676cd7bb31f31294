package s3

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"

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
		STSEndpoint: s.lending.Endpoint, Client: &http.Client{Transport: withContext{ctx, s.transport}, Timeout: lendTime},
		Options: credentials.STSAssumeRoleOptions{
			AccessKey: s.accessKeyID, SecretKey: s.secretAccessKey, Policy: policy, Location: s.region,
			DurationSeconds: int(life.Seconds()), RoleARN: s.lending.Role, RoleSessionName: "quern",
		},
	}
	value, err := role.RetrieveWithCredContext(nil)
	if err != nil {
		return blob.Key{}, blob.ErrUnreachable.Because(fmt.Errorf("blob/s3: lending a key: %w", err))
	}
	return blob.Key{
		AccessKeyID: value.AccessKeyID, SecretAccessKey: value.SecretAccessKey, SessionToken: value.SessionToken, ExpiresAt: value.Expiration,
	}, nil
}

// lendTime is how long the service may take.
const lendTime = 10 * time.Second

// withContext ends requests with a context that the library does not take.
type withContext struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call
	to  http.RoundTripper
}

// RoundTrip sends a request.
func (w withContext) RoundTrip(r *http.Request) (*http.Response, error) {
	return w.to.RoundTrip(r.WithContext(w.ctx))
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
