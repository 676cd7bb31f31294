package quern

// The stable codes, one per reason a caller can act on. A test holds this list
// equal to the one in the contract.
const (
	CodeInternal             Code = "INTERNAL"
	CodeMalformedJSON        Code = "MALFORMED_JSON"
	CodeMalformedParameter   Code = "MALFORMED_PARAMETER"
	CodeUnauthorized         Code = "UNAUTHORIZED"
	CodeForbidden            Code = "FORBIDDEN"
	CodeReadOnly             Code = "READ_ONLY"
	CodeNotFound             Code = "NOT_FOUND"
	CodeRouteNotFound        Code = "ROUTE_NOT_FOUND"
	CodeMethodNotAllowed     Code = "METHOD_NOT_ALLOWED"
	CodeConflict             Code = "CONFLICT"
	CodeNameTaken            Code = "NAME_TAKEN"
	CodeGone                 Code = "GONE"
	CodeBodyTooLarge         Code = "BODY_TOO_LARGE"
	CodeUnsupportedMediaType Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeThrottled            Code = "THROTTLED"
	CodeBudgetSpent          Code = "BUDGET_SPENT"
	CodeQuotaExceeded        Code = "QUOTA_EXCEEDED"
	CodeInvalid              Code = "VALIDATION_FAILED"
	CodeInvalidQuery         Code = "INVALID_QUERY"
	CodeUnreachable          Code = "UPSTREAM_UNREACHABLE"
	CodeUnavailable          Code = "UNAVAILABLE"
	CodeTimeout              Code = "TIMEOUT"
	CodeCancelled            Code = "CANCELLED"
	CodeDataLost             Code = "DATA_LOST"
)

// Codes lists every stable code, in the order of the contract.
func Codes() []Code {
	return []Code{
		CodeInternal, CodeMalformedJSON, CodeMalformedParameter, CodeUnauthorized,
		CodeForbidden, CodeReadOnly, CodeNotFound, CodeRouteNotFound, CodeMethodNotAllowed,
		CodeConflict, CodeNameTaken, CodeGone, CodeBodyTooLarge,
		CodeUnsupportedMediaType, CodeThrottled, CodeBudgetSpent, CodeQuotaExceeded, CodeInvalid, CodeInvalidQuery,
		CodeUnreachable, CodeUnavailable, CodeTimeout, CodeCancelled, CodeDataLost,
	}
}
