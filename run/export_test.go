package run

import "context"

// Sweep does once what Work does from time to time.
func Sweep(ctx context.Context, s *Service) { s.sweep(ctx) }

// Title makes a title of a question.
func Title(question string) string { return title(question) }
