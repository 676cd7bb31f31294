// Command s3gateway is a real S3 server for tests: the Versity gateway over a
// folder, as a process of its own that a test can kill and start again.
//
// It owns nothing but the wiring. It never syncs what it writes, so it stands
// for an S3 service in tests and must not hold anybody's data. It lives in a
// module of its own because its dependencies have no place in the server's.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

type settings struct {
	listen, dir, bucket, accessKey, secretKey, region, origin string
}

func main() {
	var s settings
	flag.StringVar(&s.listen, "listen", "127.0.0.1:0", "address to serve S3 on; port 0 picks a free one")
	flag.StringVar(&s.dir, "dir", "", "folder that holds buckets and metadata")
	flag.StringVar(&s.bucket, "bucket", "", "bucket that is there from the start")
	flag.StringVar(&s.accessKey, "access-key", "quern", "access key id")
	flag.StringVar(&s.secretKey, "secret-key", "quern-secret", "secret access key")
	flag.StringVar(&s.region, "region", "us-east-1", "region name")
	flag.StringVar(&s.origin, "cors-origin", "*", "origin that browsers may call from")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "s3gateway:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	if s.dir == "" {
		return errors.New("--dir is required")
	}
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return err
	}
	buckets, sidecar, spool := filepath.Join(dir, "buckets"), filepath.Join(dir, "sidecar"), filepath.Join(dir, "spool")
	for _, d := range []string{filepath.Join(buckets, s.bucket), sidecar, spool} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	metadata, err := meta.NewSideCar(sidecar)
	if err != nil {
		return err
	}
	backend, err := posix.New(buckets, metadata, posix.PosixOpts{SideCarDir: sidecar, Concurrency: 64})
	if err != nil {
		return err
	}
	address, err := freeAddress(s.listen)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go announce(ctx, address)
	return embedgw.RunVersityGW(ctx, newCareful(backend, spool), &embedgw.Config{
		RootUserAccess: s.accessKey, RootUserSecret: s.secretKey, Region: s.region,
		Ports: []string{address}, MaxConnections: 1024, MaxRequests: 1024,
		MultipartMaxParts: 10000, CORSAllowOrigin: s.origin, KeepAlive: true, Quiet: true,
	})
}

// freeAddress turns port 0 into a free one, because the gateway does not tell
// which port it took.
func freeAddress(listen string) (string, error) {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// announce prints the ready line once the address accepts connections.
func announce(ctx context.Context, address string) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			fmt.Println("ready", address)
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
