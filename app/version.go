package app

import "go.opentelemetry.io/otel/attribute"

// Version is the release that is running; the build sets it.
var Version = "dev"

var serviceName = attribute.String("service.name", "quern")

func serviceVersion() attribute.KeyValue { return attribute.String("service.version", Version) }
