package blobtest

import (
	"net/http/httputil"
	"net/url"
)

// Proxy returns a handler that passes requests on to the gateway, wherever it listens then, with
// the host that they were signed for.
func (g *Gateway) Proxy() *httputil.ReverseProxy {
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: g.listen})
		r.Out.Host = r.In.Host
	}}
}
