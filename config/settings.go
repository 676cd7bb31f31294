package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Config is the settings as the program reads them, one field each.
type Config struct {
	File      string
	Data      string
	Listen    string
	PublicURL string

	DatabaseURL string

	S3 S3
	// Backup says how the buckets of backups are reached.
	Backup Backup

	OIDC      OIDC
	TokenLife time.Duration
	LoginIdle time.Duration
	LoginLife time.Duration
	// RedirectURIs are of applications beside the console.
	RedirectURIs []string

	TLSCert, TLSKey string
	TrustedProxies  []netip.Prefix
	CORSOrigins     []string
	BodyLimit       int64
	ReadTimeout     time.Duration
	WriteTimeout    time.Duration
	IdleTimeout     time.Duration
	DrainDelay      time.Duration
	DrainTimeout    time.Duration

	IngestRows, IngestColumns int
	// IngestNulls are the spellings of null in files.
	IngestNulls []string

	Upload Upload

	Query Query

	Cluster Cluster
	// AskRows is the most rows that a step of a run keeps.
	AskRows int

	Run Run

	Quota Quota
	// AuditRetention is how long the audit trail is kept; 0: for good.
	AuditRetention time.Duration
	// MetricsListen and MetricsToken say where metrics are read, and with what.
	MetricsListen, MetricsToken string

	Upkeep Upkeep

	LLM LLM

	Tracing Tracing

	// A2AStrict refuses requests that name no version of the protocol, and
	// PushPrivate lets notifications go anywhere.
	A2AStrict, PushPrivate bool

	LogLevel, LogFormat string

	settings []*Setting
}

// S3 says where objects live when not in the data directory.
type S3 struct {
	Endpoint, PublicEndpoint, Bucket, Region string
	AccessKeyID, SecretAccessKey             string
	CacheSize                                int64
	STSRole, STSEndpoint                     string
}

// Backup says how the buckets of backups are reached, where not like that of objects.
type Backup struct {
	Endpoint, Region, AccessKeyID, SecretAccessKey string
}

// OIDC says whose tokens are believed when not the embedded provider's.
type OIDC struct {
	Issuer, Audience, UsernameClaim string
	ClientID, ClientSecret          string
	CLIClientID                     string
	AdminClaim                      string // CLAIM=VALUE
}

// Upload bounds upload sessions.
type Upload struct {
	PartSize, FileSize, OpenBytes   int64
	Files, OpenSessions             int
	URLLife, SessionLife, Retention time.Duration
}

// Quota is what users may use who have no quota of their own; 0 is no limit.
type Quota struct {
	Bytes           int64
	Rows, Questions int
}

// Query bounds what one query, and all together, may use.
type Query struct {
	Memory      int64
	Threads     int
	Time        time.Duration
	Rows        int
	Concurrency int
	Workers     int
}

// Cluster says where queries run that are too large for this machine.
type Cluster struct {
	URL, Route string
	Size       int64
}

// Run bounds questions on their way to answers.
type Run struct {
	PerUser, Workers int
	Life, Retention  time.Duration
}

// Upkeep says how datasets are kept in shape behind the callers' backs.
type Upkeep struct {
	Interval, MergeIdle, ObjectGrace time.Duration
}

// define lists the settings, in the order in which they are documented.
func (c *Config) define() []*Setting {
	return slices.Concat(c.place(), c.storage(), c.identity(), c.http(), c.uploads(), c.limits(), c.questions(), c.models(), c.tracing(), c.backups(), c.operation())
}

func (c *Config) place() []*Setting {
	const group = "Where it runs"
	return []*Setting{
		{Name: "config", Group: group, value: path(&c.File),
			Help: "The settings file, in TOML. When none is named, quern.toml in the data directory is read if it is there."},
		{Name: "data", Group: group, value: path(&c.Data), Default: "./quern-data",
			Help: "The directory that holds everything the server keeps on this machine. It is made if missing, for its owner's eyes only."},
		{Name: "listen", Group: group, value: address(&c.Listen), Default: "127.0.0.1:8080",
			Help: "The address to serve on. Port 0 picks a free one."},
		{Name: "public_url", Group: group, value: webURL(&c.PublicURL),
			Help: "The address under which people and programs reach the server. The embedded identity provider signs with it as the issuer. When not set, it follows from the listening address."},
	}
}

func (c *Config) storage() []*Setting {
	const group = "Storage"
	return []*Setting{
		{Name: "database_url", Group: group, value: postgresURL(&c.DatabaseURL), Secret: true,
			Help: "The PostgreSQL database of the metadata, as postgres://user:password@host:port/name. When not set, they live in quern.db in the data directory."},
		{Name: "s3_endpoint", Group: group, value: origin(&c.S3.Endpoint),
			Help: "The S3 service that holds the objects. When not set, they are files in the data directory."},
		{Name: "s3_bucket", Group: group, value: text(&c.S3.Bucket),
			Help: "The bucket of the objects. It must exist."},
		{Name: "s3_region", Group: group, value: text(&c.S3.Region), Default: "us-east-1",
			Help: "The region that requests are signed for."},
		{Name: "s3_access_key_id", Group: group, value: text(&c.S3.AccessKeyID),
			Help: "The key id that requests are signed with."},
		{Name: "s3_secret_access_key", Group: group, value: text(&c.S3.SecretAccessKey), Secret: true,
			Help: "The secret that requests are signed with."},
		{Name: "s3_public_endpoint", Group: group, value: origin(&c.S3.PublicEndpoint),
			Help: "The address of the S3 service as clients outside reach it, used in URLs handed to them. When not set, it is the endpoint."},
		{Name: "s3_cache_size", Group: group, value: size(&c.S3.CacheSize), Default: "10GiB",
			Help: "The room in the data directory for copies of objects, and of parts of objects, that queries read."},
		{Name: "s3_sts_role", Group: group, value: text(&c.S3.STSRole),
			Help: "The role (ARN) in whose name other engines read tables straight from the S3 service, narrowed to one table's folder. When not set, they read them through this server. Such keys live 15 minutes and cannot be taken back within them."},
		{Name: "s3_sts_endpoint", Group: group, value: origin(&c.S3.STSEndpoint),
			Help: "The security token service that lends those keys."},
	}
}

func (c *Config) identity() []*Setting {
	const group = "Identity"
	return []*Setting{
		{Name: "oidc_issuer", Group: group, value: webURL(&c.OIDC.Issuer),
			Help: "The OpenID Connect provider whose tokens are believed. When not set, the provider inside the server is used."},
		{Name: "oidc_audience", Group: group, value: text(&c.OIDC.Audience),
			Help: "The audience that the provider's tokens must name, so that a token made for another service does not open this one."},
		{Name: "oidc_username_claim", Group: group, value: text(&c.OIDC.UsernameClaim), Default: "preferred_username",
			Help: "The claim of the provider's tokens that holds the username."},
		{Name: "oidc_admin_claim", Group: group, value: claimValue(&c.OIDC.AdminClaim),
			Help: "What an access token of the provider must say for its user to administer the server, as CLAIM=VALUE: roles=quern-admin, or realm_access.roles=quern-admin. The claim may be a list. When not set, only 'quern user grant' makes administrators."},
		{Name: "oidc_client_id", Group: group, value: text(&c.OIDC.ClientID),
			Help: "The client that this server is at the provider, so that people can sign in with a browser. Its redirect address there is the public URL followed by /callback, and the one after signing out the public URL followed by /. When not set, tokens of the provider are believed, but nobody signs in here."},
		{Name: "oidc_client_secret", Group: group, value: text(&c.OIDC.ClientSecret), Secret: true,
			Help: "The secret of that client. When not set, it is a public client."},
		{Name: "oidc_cli_client_id", Group: group, value: text(&c.OIDC.CLIClientID),
			Help: "The client that command lines are at the provider, so that 'quern login' signs in there: a public one, with the redirect addresses http://127.0.0.1/callback with any port, and the public URL followed by /oauth2/code. Its access tokens must name the audience. When not set, command lines use API tokens."},
		{Name: "token_life", Group: group, value: duration(&c.TokenLife), Default: "1h",
			Help: "How long an access token of the embedded provider is good for. API tokens have a life of their own."},
		{Name: "login_idle", Group: group, value: duration(&c.LoginIdle), Default: "24h",
			Help: "How long a browser may stay unused before it is signed out, here and at the embedded provider."},
		{Name: "login_life", Group: group, value: duration(&c.LoginLife), Default: "168h",
			Help: "How long a browser stays signed in at most, here and at the embedded provider."},
		{Name: "redirect_uris", Group: group, value: webURLs(&c.RedirectURIs),
			Help: "The addresses of other applications that the embedded provider may send its answers to, matched as a whole. The console and programs on the user's own machine need no entry."},
	}
}

func (c *Config) http() []*Setting {
	const group = "HTTP"
	return []*Setting{
		{Name: "tls_cert", Group: group, value: path(&c.TLSCert),
			Help: "The certificate chain to serve HTTPS with, in PEM."},
		{Name: "tls_key", Group: group, value: path(&c.TLSKey),
			Help: "The private key of the certificate, in PEM."},
		{Name: "trusted_proxies", Group: group, value: networks(&c.TrustedProxies),
			Help: "The networks of proxies in front of the server, as 10.0.0.0/8, separated by commas. Only theirs is the word taken for who a caller is (X-Forwarded-For)."},
		{Name: "cors_origins", Group: group, value: origins(&c.CORSOrigins),
			Help: "The web origins whose pages may call the API, separated by commas; * stands for all. Presigned part URLs take pages of any origin."},
		{Name: "body_limit", Group: group, value: size(&c.BodyLimit), Default: "32MiB",
			Help: "The largest JSON body that is accepted."},
		{Name: "read_timeout", Group: group, value: duration(&c.ReadTimeout), Default: "1m",
			Help: "How long a client may take to send a request."},
		{Name: "write_timeout", Group: group, value: duration(&c.WriteTimeout), Default: "2m",
			Help: "How long a request may take from its header to the end of its answer. Streams are exempt."},
		{Name: "idle_timeout", Group: group, value: duration(&c.IdleTimeout), Default: "2m",
			Help: "How long a connection is kept open between two requests."},
		{Name: "drain_delay", Group: group, value: delay(&c.DrainDelay), Default: "0s",
			Help: "How long a stopping server still takes new requests while /readyz already says no, so that a load balancer can look away first."},
		{Name: "drain_timeout", Group: group, value: duration(&c.DrainTimeout), Default: "30s",
			Help: "How long a stopping server then waits for the requests in flight."},
	}
}

func (c *Config) uploads() []*Setting {
	const group = "Uploads"
	return []*Setting{
		{Name: "upload_part_size", Group: group, value: size(&c.Upload.PartSize), Default: "8MiB",
			Help: "The size of the parts that files are sent in. Files that would need more than 10,000 parts get a multiple of it. An S3 service takes no parts below 5MiB, so there it is at least that."},
		{Name: "upload_url_life", Group: group, value: duration(&c.Upload.URLLife), Default: "1h",
			Help: "How long the URL of a part is good for, at most 168h."},
		{Name: "upload_session_life", Group: group, value: duration(&c.Upload.SessionLife), Default: "24h",
			Help: "How long an upload session may be open; then it is aborted and its parts are deleted."},
		{Name: "upload_retention", Group: group, value: delay(&c.Upload.Retention), Default: "0s",
			Help: "How long the files of completed upload sessions are kept; 0s means for good."},
		{Name: "upload_file_size", Group: group, value: size(&c.Upload.FileSize), Default: "5TiB",
			Help: "The largest file that can be uploaded."},
		{Name: "upload_files", Group: group, value: number(&c.Upload.Files, 1), Default: "1000",
			Help: "The most files of one upload session."},
		{Name: "upload_open_bytes", Group: group, value: size(&c.Upload.OpenBytes), Default: "10TiB",
			Help: "The most bytes that the open upload sessions of one user may declare together."},
		{Name: "upload_open_sessions", Group: group, value: number(&c.Upload.OpenSessions, 1), Default: "1000",
			Help: "The most upload sessions that one user may have open."},
	}
}

func (c *Config) limits() []*Setting {
	const group = "Data"
	return []*Setting{
		{Name: "ingest_rows", Group: group, value: number(&c.IngestRows, 1), Default: "100000",
			Help: "The most rows that one JSON request brings."},
		{Name: "ingest_columns", Group: group, value: number(&c.IngestColumns, 1), Default: "1000",
			Help: "The most columns that a dataset has."},
		{Name: "ingest_nulls", Group: group, value: words(&c.IngestNulls), Default: `null,none,n/a,na,#n/a,nan,nil,\N,-,--,?,.`,
			Help: "The spellings of a missing value in files, whatever the capitals. They count where the column's other values are numbers, dates or truth values; among words they are words. An ingestion may bring its own."},
		{Name: "quota_bytes", Group: group, value: sizeOrNone(&c.Quota.Bytes), Default: "0",
			Help: "The bytes that the tables and uploaded files of a user may take, unless an administrator has given it a quota of its own; 0 means any number."},
		{Name: "quota_rows", Group: group, value: number(&c.Quota.Rows, 0), Default: "0",
			Help: "The rows that the datasets of a user may have together, unless an administrator has given it a quota of its own; 0 means any number."},
		{Name: "query_memory", Group: group, value: size(&c.Query.Memory), Default: "1GiB",
			Help: "The memory that one query may use; beyond it, it spills to the data directory."},
		{Name: "query_threads", Group: group, value: number(&c.Query.Threads, 0), Default: "0",
			Help: "The threads that one query may use; 0 means one for each processor core."},
		{Name: "query_time", Group: group, value: duration(&c.Query.Time), Default: "30s",
			Help: "How long one query may run."},
		{Name: "query_rows", Group: group, value: number(&c.Query.Rows, 1), Default: "10000",
			Help: "The most rows that one query returns. An answer that was cut says so and tells how many rows there are."},
		{Name: "query_concurrency", Group: group, value: number(&c.Query.Concurrency, 1), Default: "4",
			Help: "The queries that run at the same time; the next ones wait their turn, users taking turns. One user's queries leave a place free for others."},
		{Name: "engine_workers", Group: group, value: number(&c.Query.Workers, 0), Default: "4",
			Help: "The processes that are kept for queries, those at work counted; one more waits when all are. Each query has one to itself while it runs; past its time or memory, the process is killed. 0 runs queries inside the server: for tests and very small machines only, since a query can then take the server's memory and need not end."},
		{Name: "engine_url", Group: group, value: clusterURL(&c.Cluster.URL), Secret: true,
			Help: "The Trino cluster that runs large queries over the open tables, as trino://[user[:password]@]host:port[/catalog], the catalog being quern when not named. secure=true behind a question mark speaks HTTPS; other parameters there are properties of the cluster's sessions, as query_max_memory=20GB. When not set, all queries run in this server."},
		{Name: "engine_route", Group: group, value: word(&c.Cluster.Route, "auto", "embedded", "cluster"), Default: "auto",
			Help: "Where queries run when there is a cluster: auto sends those that read much there, cluster all that it can run, embedded none."},
		{Name: "engine_route_size", Group: group, value: size(&c.Cluster.Size), Default: "4GiB",
			Help: "How much a query reads at least that auto sends to the cluster."},
		{Name: "ask_rows", Group: group, value: number(&c.AskRows, 1), Default: "1000",
			Help: "The most rows that one step of a run keeps, out of those that its query returns. A step that was cut says so and tells how many rows there are."},
		{Name: "upkeep_interval", Group: group, value: duration(&c.Upkeep.Interval), Default: "1m",
			Help: "How often small segments of datasets are looked for and merged, and deleted objects are swept."},
		{Name: "merge_idle", Group: group, value: duration(&c.Upkeep.MergeIdle), Default: "10m",
			Help: "How long a dataset is left alone before all of its small segments are merged; until then only many of a size are."},
		{Name: "object_grace", Group: group, value: duration(&c.Upkeep.ObjectGrace), Default: "1h",
			Help: "How long replaced and deleted objects are kept for the queries, the exports and the other engines that still read them. It must exceed the longest of those."},
	}
}

func (c *Config) questions() []*Setting {
	const group = "Questions"
	return []*Setting{
		{Name: "run_per_user", Group: group, value: number(&c.Run.PerUser, 1), Default: "8",
			Help: "The questions of one user that may be running at the same time; the next one is refused until one of them has ended."},
		{Name: "run_workers", Group: group, value: number(&c.Run.Workers, 1), Default: "16",
			Help: "The questions that one server works on at the same time; the next ones wait their turn."},
		{Name: "run_life", Group: group, value: duration(&c.Run.Life), Default: "15m",
			Help: "How long a question may take, waiting included, before it expires."},
		{Name: "run_retention", Group: group, value: delay(&c.Run.Retention), Default: "0s",
			Help: "How long questions that have ended are kept, and conversations with them; 0s means for good."},
		{Name: "quota_questions", Group: group, value: number(&c.Quota.Questions, 0), Default: "0",
			Help: "The questions that a user may ask in a day, in UTC, unless an administrator has given it a quota of its own; 0 means any number."},
		{Name: "a2a_strict", Group: group, value: flag(&c.A2AStrict), Default: "false",
			Help: "Whether an A2A request without the header A2A-Version is refused; otherwise it is taken for one of version 1.0."},
		{Name: "push_private", Group: group, value: flag(&c.PushPrivate), Default: "false",
			Help: "Whether A2A push notifications may go to addresses that are not on the public internet, and over plain HTTP. Anyone who may ask a question can then make the server send requests into its own network."},
	}
}

func (c *Config) backups() []*Setting {
	const group = "Backups"
	return []*Setting{
		{Name: "backup_s3_endpoint", Group: group, value: origin(&c.Backup.Endpoint),
			Help: "The S3 service of backups that go to s3://bucket/folder. When not set, it is that of the objects, with its region and keys."},
		{Name: "backup_s3_region", Group: group, value: text(&c.Backup.Region), Default: "us-east-1",
			Help: "The region of the buckets of backups."},
		{Name: "backup_s3_access_key_id", Group: group, value: text(&c.Backup.AccessKeyID),
			Help: "The id of the key that signs requests to the S3 service of backups."},
		{Name: "backup_s3_secret_access_key", Group: group, value: text(&c.Backup.SecretAccessKey), Secret: true,
			Help: "The secret of that key."},
	}
}

func (c *Config) operation() []*Setting {
	const group = "Operation"
	return []*Setting{
		{Name: "metrics_listen", Group: group, value: text(&c.MetricsListen),
			Help: "The address, as HOST:PORT, at which /metrics is served, over plain HTTP, and then there alone. When not set, it is where everything else is."},
		{Name: "metrics_token", Group: group, value: text(&c.MetricsToken), Secret: true,
			Help: "The bearer token that whoever reads /metrics has to send. When not set, /metrics is open to all who reach it."},
		{Name: "audit_retention", Group: group, value: delay(&c.AuditRetention), Default: "0s",
			Help: "How long entries of the audit trail are kept, as a whole stretch; the digests of what was cut stay. 0s means for good."},
		{Name: "log_level", Group: group, value: word(&c.LogLevel, "debug", "info", "warn", "error"), Default: "info",
			Help: "The least important log lines that are written."},
		{Name: "log_format", Group: group, value: word(&c.LogFormat, "auto", "text", "json"), Default: "auto",
			Help: "How log lines are written: json for programs, text for people; auto means text on a terminal, else json."},
	}
}

// mostURLLife is the longest time that S3 services let a URL be good for.
const mostURLLife = 7 * 24 * time.Hour

// check finds settings that do not go together.
func (c *Config) check(problems *Problems) {
	given := func(name string) bool {
		return c.setting(name).Source.Kind != FromDefault && c.setting(name).Text() != ""
	}
	pair := func(one, other, why string) {
		if given(one) && !given(other) {
			problems.add(c.setting(one).Source.Where, "%s is set without %s: %s", one, other, why)
		}
	}
	pair("tls_cert", "tls_key", "HTTPS needs both")
	pair("tls_key", "tls_cert", "HTTPS needs both")
	pair("s3_endpoint", "s3_bucket", "objects need a bucket to lie in")
	for _, s := range []string{"s3_bucket", "s3_region", "s3_access_key_id", "s3_secret_access_key", "s3_public_endpoint", "s3_cache_size", "s3_sts_role"} {
		pair(s, "s3_endpoint", "it has no effect alone")
	}
	pair("s3_access_key_id", "s3_secret_access_key", "requests are signed with both")
	pair("s3_secret_access_key", "s3_access_key_id", "requests are signed with both")
	for _, s := range []string{"backup_s3_region", "backup_s3_access_key_id", "backup_s3_secret_access_key"} {
		pair(s, "backup_s3_endpoint", "it has no effect alone")
	}
	pair("backup_s3_access_key_id", "backup_s3_secret_access_key", "requests are signed with both")
	pair("backup_s3_secret_access_key", "backup_s3_access_key_id", "requests are signed with both")
	pair("s3_sts_role", "s3_sts_endpoint", "keys are lent by it")
	pair("s3_sts_endpoint", "s3_sts_role", "it has no effect alone")
	pair("oidc_issuer", "oidc_audience", "without it, a token made for any other service of the provider would be believed")
	pair("oidc_audience", "oidc_issuer", "it has no effect alone")
	pair("oidc_username_claim", "oidc_issuer", "it has no effect alone")
	pair("oidc_client_id", "oidc_issuer", "it has no effect alone")
	pair("oidc_admin_claim", "oidc_issuer", "it has no effect alone")
	pair("oidc_client_secret", "oidc_client_id", "it has no effect alone")
	pair("engine_route", "engine_url", "it has no effect alone")
	pair("engine_route_size", "engine_url", "it has no effect alone")
	pair("oidc_cli_client_id", "oidc_issuer", "it has no effect alone")
	c.checkModels(problems, pair)
	c.checkTracing(problems, pair)
	if s := c.setting("upload_url_life"); c.Upload.URLLife < time.Second || c.Upload.URLLife > mostURLLife {
		problems.add(s.Source.Where, "%v", s.reason(s.Text(), errors.New("is not between 1s and 168h, which is what object stores sign for")))
	}
	if s := c.setting("data"); strings.ContainsAny(c.Data, "*?[") {
		problems.add(s.Source.Where, "%v", s.reason(s.Text(), errors.New("holds one of * ? [, which the query engine would take for a pattern")))
	}
	for _, name := range []string{"data", "s3_region", "oidc_username_claim"} {
		if s := c.setting(name); s.Text() == "" {
			problems.add(s.Source.Where, "the value is empty")
		}
	}
}

// Settings lists every setting with its present value.
func (c *Config) Settings() []*Setting { return c.settings }

// Definitions lists every setting at its default.
func Definitions() []*Setting { return defaults().settings }

func defaults() *Config {
	c := &Config{}
	c.settings = c.define()
	for _, s := range c.settings {
		if err := s.set(s.Default, Source{Kind: FromDefault}); err != nil {
			panic(fmt.Sprintf("config: the default of %s: %v", s.Name, err))
		}
	}
	return c
}

func (c *Config) setting(name string) *Setting {
	for _, s := range c.settings {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Origin is the address at which the server is reached: the public URL, or
// what follows from listen, the address it listens on.
func (c *Config) Origin(listen string) string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	scheme := "http"
	if c.TLSCert != "" {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return scheme + "://" + listen
	}
	ip := net.ParseIP(host)
	everywhere := ip != nil && ip.IsUnspecified()
	if host == "" || everywhere {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}
