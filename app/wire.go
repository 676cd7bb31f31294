package app

import (
	"context"
	"net/http"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"

	"quern"
	"quern/a2a"
	"quern/admin"
	"quern/api"
	"quern/ask/models"
	"quern/auth"
	"quern/blob"
	"quern/catalog"
	"quern/config"
	"quern/door"
	"quern/engine"
	"quern/engine/duckdb"
	"quern/engine/trino"
	"quern/engine/worker"
	"quern/evaluate"
	"quern/iceberg"
	"quern/idp"
	"quern/ingest"
	"quern/knowledge"
	"quern/link"
	"quern/mcp"
	"quern/nlq/embedded"
	"quern/nlq/model"
	"quern/nlq/schema"
	"quern/opentable"
	"quern/push"
	"quern/query"
	"quern/rest"
	"quern/run"
	"quern/s3door"
	"quern/sandbox"
	"quern/server"
	"quern/store"
	"quern/suggest"
	"quern/upload"
	"quern/web"
)

// parts is what the program is made of.
type parts struct {
	tracing   trace.TracerProvider
	store     *store.Store
	objects   objects
	files     *catalog.SegmentFiles
	cache     *blob.Cache // nil where objects are files
	engine    engine.Engine
	local     *duckdb.Engine // the part of it that is in this process
	workers   *worker.Engine // the same engine; nil when queries run in this process
	cluster   *trino.Engine  // nil when there is none
	readers   *sandbox.Pool  // of documents; nil when they are read in this process
	auth      *auth.Service
	catalog   *catalog.Service
	link      *link.Service
	knowledge *knowledge.Service
	networks  model.Networks
	reader    *embedded.Translator
	schema    *schema.Service
	upload    *upload.Service
	ingest    *ingest.Service
	query     *query.Service
	models    *models.Models
	evaluate  *evaluate.Service
	suggest   *suggest.Service
	run       *run.Service
	admin     *admin.Service
	traces    traces
	push      *push.Service
	a2a       *a2a.Service
	mcp       *mcp.Service
	tables    *opentable.Service
	iceberg   *iceberg.Service
	s3door    *s3door.Face
	temp      string // for files in the making
	browsers  *door.Browsers
	provider  *idp.Provider // nil with an outside provider
	pages     *web.Pages
}

// wire makes the parts, one line each, in the order of the house.
func (a *App) wire(ctx context.Context) error {
	for _, part := range []func(context.Context) error{
		a.addTracing, a.addStore, a.addObjects, a.addEngine, a.addCluster,
		a.addAuth, a.addUploads, a.addNetworks, a.addDatasets, a.addModels, a.addLessons, a.addTraces, a.addRuns, a.addAdmin, a.addA2A, a.addMCP,
		a.addProvider, a.addPages, a.addServer,
	} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (a *App) addTracing(ctx context.Context) error {
	tracing, flush, err := newTracing(ctx, a.cfg.Tracing, a.log)
	if err == nil {
		a.parts.tracing = tracing
		a.onClose(flush)
	}
	return err
}

func (a *App) addStore(ctx context.Context) (err error) {
	if a.parts.store, err = openStore(ctx, a.cfg); err != nil {
		return err
	}
	a.onClose(a.parts.store.Close)
	if err := a.addClock(ctx); err != nil {
		return err
	}
	return a.addPresence(ctx)
}

func (a *App) addAuth(context.Context) (err error) {
	a.parts.auth, err = auth.New(auth.Options{
		Store: a.parts.store, Now: a.now, Log: a.log, PublicURL: a.url, Issuer: issuer(a.cfg),
		TokenLife: a.cfg.TokenLife, LoginIdle: a.cfg.LoginIdle, LoginLife: a.cfg.LoginLife,
	})
	if err != nil {
		return err
	}
	a.onClose(a.parts.auth.Close)
	a.parts.browsers, err = door.NewBrowsers(a.url, a.parts.auth)
	return err
}

func issuer(cfg *config.Config) auth.Issuer {
	return auth.Issuer{
		URL: cfg.OIDC.Issuer, Audience: cfg.OIDC.Audience, UsernameClaim: cfg.OIDC.UsernameClaim,
		ClientID: cfg.OIDC.ClientID, ClientSecret: cfg.OIDC.ClientSecret, CommandLineID: cfg.OIDC.CLIClientID,
		AdminClaim: cfg.OIDC.AdminClaim,
	}
}

func (a *App) addUploads(context.Context) error {
	a.parts.upload = upload.New(upload.Options{
		Store: a.parts.store, Objects: a.parts.objects, Now: a.now, Log: a.log,
		Limits: upload.Limits(a.cfg.Upload), Quota: quota(a.cfg),
	})
	return nil
}

func (a *App) addDatasets(context.Context) error {
	temp, err := a.tempDir("rows")
	if err != nil {
		return err
	}
	p := &a.parts
	p.temp = temp
	p.files.MakeRows(p.engine, temp)
	a.onClose(p.files.Close)
	p.catalog = catalog.New(catalog.Options{Store: p.store, Now: a.now, Grace: a.cfg.Upkeep.ObjectGrace, Quota: quota(a.cfg)})
	tables, err := a.documents()
	if err != nil {
		return err
	}
	p.ingest = ingest.New(a.ingesting(p.upload, tables))
	if err := a.addTables(); err != nil {
		return err
	}
	p.knowledge = knowledge.New(knowledge.Options{Store: p.store, Catalog: p.catalog, Now: a.now})
	p.link = link.New(link.Options{Store: p.store, Catalog: p.catalog, Files: p.files, Engine: p.engine, Now: a.now, Log: a.log, Temp: temp})
	p.schema = schema.New(a.schemas())
	a.onClose(p.schema.Close)
	p.query = query.New(query.Options{
		Catalog: p.catalog, Files: p.files, Engine: p.engine, Links: p.link, Temp: temp, MaxRows: a.cfg.Query.Rows,
		Cluster: a.cluster(),
	})
	return nil
}

// ingesting says what ingests of uploads work with.
func (a *App) ingesting(uploads ingest.Uploads, tables ingest.Tables) ingest.Options {
	p := &a.parts
	return ingest.Options{
		Catalog: p.catalog, Objects: p.objects, Files: p.files, Engine: p.engine, Temp: p.temp,
		Limits: ingest.Limits{Rows: int64(a.cfg.IngestRows), Columns: a.cfg.IngestColumns},
		Store:  p.store, Uploads: uploads, Still: p.auth.Still, Now: a.now, Alone: a.cfg.DatabaseURL == "", Journal: true,
		Log: a.log, NullValues: a.cfg.IngestNulls, Tables: tables, Structure: a.Structure(),
	}
}

func (a *App) addRuns(context.Context) error {
	p := &a.parts
	p.run = run.New(run.Options{
		Store: p.store, Catalog: p.catalog, Agents: a.traced(a.agents()), Models: p.models, Still: p.auth.Still, Ended: a.runEnded,
		Now: a.now, Log: a.log, Alone: a.cfg.DatabaseURL == "", Quota: quota(a.cfg),
		Limits: run.Limits{PerUser: a.cfg.Run.PerUser, Workers: a.cfg.Run.Workers, Life: a.cfg.Run.Life, Retention: a.cfg.Run.Retention},
	})
	a.addFeedback()
	return nil
}

func (a *App) addAdmin(context.Context) error {
	p := &a.parts
	p.admin = admin.New(admin.Options{
		Store: p.store, Auth: p.auth, Catalog: p.catalog, Upload: p.upload, Ingest: p.ingest, Runs: p.run, Quota: quota(a.cfg),
		Retention: map[quern.RetentionKind]time.Duration{
			quern.RetainOriginals: a.cfg.Upload.Retention, quern.RetainRuns: a.cfg.Run.Retention, quern.RetainTraces: a.cfg.Tracing.Retention,
			quern.RetainAudit: a.cfg.AuditRetention,
		},
		Now: a.now, Log: a.log,
	})
	return nil
}

// addLessons makes what measures and proposes knowledge.
func (a *App) addLessons(context.Context) error {
	p := &a.parts
	p.evaluate = evaluate.New(evaluate.Options{
		Store: p.store, Catalog: p.catalog, Knowledge: p.knowledge, Query: p.query, Models: p.models, Still: p.auth.Still,
		Release: Version, Now: a.now, Log: a.log, Alone: a.cfg.DatabaseURL == "",
	})
	p.suggest = suggest.New(suggest.Options{
		Store: p.store, Catalog: p.catalog, Knowledge: p.knowledge, Schemas: p.schema, Query: p.query, Models: p.models, Asked: p.models,
		Now: a.now, Log: a.log,
	})
	return nil
}

func (a *App) addA2A(context.Context) (err error) {
	p := &a.parts
	p.push = push.New(push.Options{Store: p.store, Private: a.cfg.PushPrivate, Alone: a.cfg.DatabaseURL == "", Now: a.now, Log: a.log, Agent: "quern/" + Version})
	p.a2a, err = a2a.New(a2a.Options{
		Auth: p.auth, Browsers: p.browsers, Usage: p.auth, Still: p.auth.Still, Catalog: p.catalog, Runs: p.run, Push: p.push, Now: a.now,
		MaxBody: a.cfg.BodyLimit, PublicURL: a.url, Version: Version, Strict: a.cfg.A2AStrict,
	})
	return err
}

func (a *App) addMCP(context.Context) (err error) {
	p := &a.parts
	p.mcp, err = mcp.New(mcp.Options{
		Auth: p.auth.At(mcp.Path), Usage: p.auth, Catalog: p.catalog, Query: p.query, Links: p.link, Knowledge: p.knowledge, Runs: p.run,
		Upload: p.upload, Ingest: p.ingest, Now: a.now, PublicURL: a.url, Origins: a.cfg.CORSOrigins, Version: Version,
	})
	return err
}

// schemas says what the translator's view of namespaces is made of.
func (a *App) schemas() schema.Options {
	p := &a.parts
	o := schema.Options{
		Catalog: p.catalog, Links: p.link, Knowledge: p.knowledge, Files: p.files, Engine: p.engine, Store: p.store, Now: a.now, Log: a.log,
		Busy: func() bool { return p.ingest != nil && p.ingest.Places().Held > 0 },
		Known: func(word string) bool {
			vectors, err := model.Vectors()
			return err == nil && vectors.Known(word)
		},
	}
	switch {
	case a.weights == nil:
		o.Encoder = model.Late{}
	case p.networks.Encoder != nil:
		o.Encoder = p.networks.Encoder
	}
	return o
}

func (a *App) addProvider(context.Context) error {
	if !a.parts.auth.Embedded() {
		return nil
	}
	documents := push.NewClient()
	a.onClose(func() error { documents.CloseIdleConnections(); return nil })
	provider, err := idp.New(idp.Options{
		Auth: a.parts.auth, Now: a.now, Log: a.log, RedirectURIs: a.cfg.RedirectURIs, Home: web.SignInPath,
		Address: callerAddress(a.cfg.TrustedProxies), Resource: mcp.Path, Documents: documents,
	})
	if err == nil {
		a.parts.provider = provider
	}
	return err
}

func (a *App) addPages(context.Context) (err error) {
	a.parts.pages, err = web.New(web.Options{
		PublicURL: a.url, Auth: a.parts.auth, Browsers: a.parts.browsers, AuthorizePath: idp.AuthorizePath, PartsOrigin: a.partsOrigin(),
	})
	return err
}

func (a *App) addServer(context.Context) (err error) {
	a.server, err = server.New(server.Options{
		Handler: a.routes(), Log: a.log, Tracing: a.parts.tracing, Now: a.now,
		Checks: a.checks(), Counts: slices.Concat(a.traceCounts(), a.segmentCounts(), a.queryCounts(), a.tableCounts(), a.standing()), Version: Version,
		MetricsToken: a.cfg.MetricsToken, MetricsApart: a.cfg.MetricsListen != "",
		CertFile: a.cfg.TLSCert, KeyFile: a.cfg.TLSKey, Origins: a.cfg.CORSOrigins,
		Limits: server.Limits{
			Read: a.cfg.ReadTimeout, Write: a.cfg.WriteTimeout, Idle: a.cfg.IdleTimeout,
			Drain: a.cfg.DrainDelay, Grace: a.cfg.DrainTimeout,
		},
	})
	return err
}

// routes says which part answers which address.
func (a *App) routes() http.Handler {
	mux := http.NewServeMux()
	operations := rest.New(rest.Deps{
		Auth: a.parts.auth, Browsers: a.parts.browsers, Tokens: a.parts.auth, Sessions: a.parts.auth, Provider: a.parts.auth, Usage: a.parts.auth, Now: a.now,
		Catalog: a.parts.catalog, Ingest: a.parts.ingest, Query: a.parts.query, Links: a.parts.link, Knowledge: a.parts.knowledge,
		Evaluations: a.parts.evaluate, Suggestions: a.parts.suggest,
		Feedbacks: a.parts.traces.feedback, Traces: a.parts.traces.archive,
		Runs: a.parts.run, Models: a.parts.models, Admin: a.parts.admin,
		Upload: a.parts.upload, Bucket: a.bucket(), Temp: a.parts.temp,
		MaxBody: a.cfg.BodyLimit, PublicURL: a.url, AuthorizationURL: a.authorizationURL,
	})
	mux.Handle(api.Base, a.parts.pages.Announce(operations))
	mux.Handle(api.Base+"/", a.parts.pages.Announce(operations))
	mux.Handle(a2a.Path, a.parts.a2a)
	mux.Handle(a2a.Path+"/", a.parts.a2a)
	assistants := idp.Resource{Auth: a.parts.auth, Path: mcp.Path}
	mux.Handle(mcp.Path, assistants.Announce(a.parts.mcp))
	for _, path := range assistants.Paths() {
		mux.Handle(path, assistants)
	}
	mux.Handle(auth.CodePath, idp.CodePage{})
	mux.Handle(iceberg.Path, a.parts.iceberg)
	mux.Handle(iceberg.Path+"/", a.parts.iceberg)
	mux.Handle(s3door.Path, a.parts.s3door)
	mux.Handle(s3door.Path+"/", a.parts.s3door)
	mux.Handle("/", a.parts.pages)
	if a.parts.provider != nil {
		for _, path := range a.parts.provider.Paths() {
			mux.Handle(path, a.parts.provider)
		}
	}
	a.mountObjects(mux)
	return mux
}

// authorizationURL is where people sign in, as the contract names it.
func (a *App) authorizationURL() string {
	if a.parts.auth.Embedded() {
		return a.url + idp.AuthorizePath
	}
	return a.parts.auth.AuthorizeURL()
}

// checks are what /readyz asks.
func (a *App) checks() []server.Check {
	all := []server.Check{
		{Name: "metadata store", Probe: a.parts.store.Ping},
		{Name: "object store", Probe: a.parts.objects.Ready},
		{Name: "identity provider", Probe: a.parts.auth.Ready},
	}
	if a.parts.workers != nil {
		all = append(all, server.Check{Name: "query engine", Probe: a.parts.workers.Ready})
	}
	all = append(all, a.clusterCheck()...)
	all = append(all, server.Check{Name: "stored data", Probe: a.parts.files.Ready, Advisory: true})
	if a.keepsHere() {
		all = append(all, server.Check{Name: "free space", Probe: a.room})
	}
	return all
}
