package a2a

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"

	"quern/catalog"
	"quern/door"
)

// card is an agent's card as it is served.
type card struct {
	body json.RawMessage
	etag string
}

// preview is what every card says of the interface.
const preview = " This interface is in preview: its surface may change."

// cardLife is how long a client may use a card without asking again, in seconds.
const cardLife = "300"

func (s *Service) address(a *agent) string     { return s.base + "/" + a.name() }
func (s *Service) cardAddress(a *agent) string { return s.address(a) + "/.well-known/agent-card.json" }

func (s *Service) makeCards() error {
	for _, a := range agents {
		body, err := s.writeCard(a)
		if err != nil {
			return err
		}
		s.cards[a.name()] = card{body, etag(body)}
	}
	return nil
}

func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// writeCard writes the card of an agent, with what is there to be known by those
// who signed in.
func (s *Service) writeCard(a *agent, more ...*a2apb.AgentExtension) (json.RawMessage, error) {
	yes := true
	documentation := strings.TrimSuffix(s.PublicURL, "/") + "/docs"
	plain := &a2apb.AgentCard{
		Name: a.title, Description: a.about + preview, Version: s.Version,
		SupportedInterfaces: []*a2apb.AgentInterface{
			{Url: s.address(a), ProtocolBinding: "JSONRPC", ProtocolVersion: protocolVersion},
			{Url: s.address(a) + "/v1", ProtocolBinding: "HTTP+JSON", ProtocolVersion: protocolVersion},
		},
		Provider:          &a2apb.AgentProvider{Organization: "Quern", Url: s.PublicURL},
		DocumentationUrl:  &documentation,
		Capabilities:      &a2apb.AgentCapabilities{Streaming: &yes, PushNotifications: &yes, ExtendedAgentCard: &yes, Extensions: more},
		DefaultInputModes: []string{textMode}, DefaultOutputModes: []string{textMode, dataMode},
		Skills: []*a2apb.AgentSkill{a.skill},
		SecuritySchemes: map[string]*a2apb.SecurityScheme{"bearer": {Scheme: &a2apb.SecurityScheme_HttpAuthSecurityScheme{
			HttpAuthSecurityScheme: &a2apb.HTTPAuthSecurityScheme{
				Scheme: "Bearer", BearerFormat: "JWT",
				Description: "The access token of the REST interface, or an API token.",
			},
		}}},
	}
	// An empty list of scopes is left out by proto-JSON; readers of the card expect it.
	return encodeWith(plain, map[string]json.RawMessage{
		"securityRequirements": json.RawMessage(`[{"schemes":{"bearer":{"list":[]}}}]`),
	})
}

const (
	// namespacesPath names the extension that tells a caller which namespaces a
	// message may name.
	namespacesPath = "/extensions/namespaces"
	maxNamespaces  = 1000
)

// extendedCard is the card for somebody who signed in: it also names the
// namespaces that they may ask.
func (s *Service) extendedCard(ctx context.Context, c call) (json.RawMessage, error) {
	page, _, err := s.Catalog.Namespaces(ctx, c.principal, catalog.Filter{Limit: maxNamespaces})
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, n := range page {
		names = append(names, n.Path.Owner+"/"+n.Path.Namespace)
	}
	return s.writeCard(c.agent, &a2apb.AgentExtension{
		Uri: s.base + namespacesPath, Description: "The namespaces that a message's metadata may name.",
		Params: mustObject(map[string]any{"namespaces": names}),
	})
}

// serveCatalog lists the agents.
func (s *Service) serveCatalog(w http.ResponseWriter, r *http.Request) {
	door.SetOperation(r.Context(), "a2a.catalog")
	type entry struct {
		Name      string `json:"name"`
		URL       string `json:"url"`
		AgentCard string `json:"agentCard"`
	}
	var list []entry
	for _, a := range agents {
		list = append(list, entry{a.name(), s.address(a), s.cardAddress(a)})
	}
	body, err := json.Marshal(list)
	if err != nil {
		door.WriteError(w, r, err)
		return
	}
	writePublic(w, r, card{body, etag(body)})
}

func (s *Service) serveCard(w http.ResponseWriter, r *http.Request) {
	door.SetOperation(r.Context(), "a2a.card")
	c, ok := s.cards[r.PathValue("agent")]
	if !ok {
		door.WriteError(w, r, errNoAgent)
		return
	}
	writePublic(w, r, c)
}

// writePublic answers with what everybody may see and keep for a while.
func writePublic(w http.ResponseWriter, r *http.Request, c card) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "public, max-age="+cardLife)
	h.Set("ETag", c.etag)
	if r.Header.Get("If-None-Match") == c.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(append(c.body, '\n')) // the client may be gone
}
