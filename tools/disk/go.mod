module quern/tools/disk

go 1.26

require (
	github.com/hanwen/go-fuse/v2 v2.8.0
	golang.org/x/sys v0.28.0
)
