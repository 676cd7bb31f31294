package a2a_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"github.com/a2aproject/a2a-go/v2/a2apb/v1/pbconv"
	"google.golang.org/protobuf/encoding/protojson"
)

const page = "../docs/a2a.md"

// callsQuern finds commands of the binary, which the end-to-end tests run.
var callsQuern = regexp.MustCompile(`(?m)(^|\$\()quern `)

// blocks returns the examples of the page in a language that need no binary.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	must(t, err)
	var all []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if !callsQuern.MatchString(m[1]) {
			all = append(all, m[1])
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no example in %s", page, language)
	}
	return all
}

// The examples of the page work as they stand there.
func TestTheExamplesOfThePageWork(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for language, example := range map[string]struct {
		command []string
		says    []string
	}{
		"sh":     {[]string{"bash", "-euo", "pipefail", "-c"}, []string{`"name":"assistant"`, "TASK_STATE_COMPLETED", "generated-query", "There are 42 ships."}},
		"js":     {[]string{"node", "--input-type=module", "-e"}, []string{"TASK_STATE_WORKING", "step-0 SELECT count(*)", "answer There are 42 ships.", "TASK_STATE_COMPLETED"}},
		"python": {[]string{"python3", "-c"}, []string{"TASK_STATE_WORKING", "generated-query SELECT count(*)", "'n': 42", "TASK_STATE_COMPLETED"}},
	} {
		code := strings.Join(blocks(t, language), "\n")
		cmd := exec.CommandContext(t.Context(), example.command[0], append(example.command[1:], code)...)
		cmd.Dir = filepath.Join("..", "test", "a2a")
		cmd.Env = append(os.Environ(), "QUERN_SERVER="+h.url, "QUERN_TOKEN="+h.tokens["ada"])
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("the examples in %s = %v\n%s", language, err, out)
		}
		for _, want := range example.says {
			if !strings.Contains(string(out), want) {
				t.Errorf("the examples in %s print no %s:\n%s", language, want, out)
			}
		}
	}
	var out bytes.Buffer
	must(t, askInGo(t.Context(), &out, h.url, h.tokens["ada"]))
	for _, want := range []string{"TASK_STATE_WORKING", "step-0 SELECT count(*)", "answer There are 42 ships.", "TASK_STATE_COMPLETED"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the example in Go prints no %s:\n%s", want, out.String())
		}
	}
}

// askInGo is the example in Go; TestTheExampleInGoIsThePages holds the two equal.
func askInGo(ctx context.Context, out io.Writer, server, token string) error {
	resolver := &agentcard.Resolver{CardParser: func(body []byte) (*a2a.AgentCard, error) {
		card := &a2apb.AgentCard{} // the default parser does not read proto-JSON's securityRequirements
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, card); err != nil {
			return nil, err
		}
		return pbconv.FromProtoAgentCard(card)
	}}
	card, err := resolver.Resolve(ctx, server+"/api/v1/a2a/assistant")
	if err != nil {
		return err
	}
	tokens := a2aclient.NewInMemoryCredentialsStore()
	for _, requirement := range card.SecurityRequirements {
		for scheme := range requirement {
			tokens.Set("me", scheme, a2aclient.AuthCredential(token))
		}
	}
	client, err := a2aclient.NewFromCard(ctx, card, a2aclient.WithCallInterceptors(&a2aclient.AuthInterceptor{Service: tokens}))
	if err != nil {
		return err
	}
	message := a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart("Which ship has the most arrivals?"))
	message.Metadata = map[string]any{"namespace": "harbour"}
	ctx = a2aclient.AttachSessionID(ctx, "me")
	for event, err := range client.SendStreamingMessage(ctx, &a2a.SendMessageRequest{Message: message}) {
		if err != nil {
			return err
		}
		switch event := event.(type) {
		case *a2a.TaskStatusUpdateEvent:
			fmt.Fprintln(out, event.Status.State)
		case *a2a.TaskArtifactUpdateEvent:
			for _, part := range event.Artifact.Parts {
				fmt.Fprintln(out, event.Artifact.Name, part.Text(), part.Data())
			}
		}
	}
	return nil
}

func TestTheExampleInGoIsThePages(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("docs_test.go")
	must(t, err)
	_, body, _ := strings.Cut(string(source), "server, token string) error {\n")
	body, _, _ = strings.Cut(body, "\treturn nil\n}\n")
	body = strings.ReplaceAll("\n"+body, "\n\t", "\n")
	if got := strings.Join(blocks(t, "go"), "\n"); strings.TrimSpace(got) != strings.TrimSpace(body) {
		t.Errorf("the example in Go on the page =\n%s\nwant\n%s", got, body)
	}
}
