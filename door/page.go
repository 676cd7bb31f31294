package door

// PagePolicy is the content security policy for HTML without scripts.
const PagePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
