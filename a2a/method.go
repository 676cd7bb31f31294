package a2a

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/protobuf/proto"
)

// responses is what a stream yields: responses, or the error that ends it. A
// pair of nils says that nothing happened for a while.
type responses = iter.Seq2[*a2apb.StreamResponse, error]

// method is one method of the protocol: it answers once, or it streams.
type method struct {
	params func() proto.Message
	once   func(s *Service, ctx context.Context, c call, params proto.Message) (proto.Message, error)
	stream func(s *Service, ctx context.Context, c call, params proto.Message) (responses, error)
	// written is once for an answer that is JSON already.
	written func(s *Service, ctx context.Context, c call) (json.RawMessage, error)
	// present are members that the answer has although they may be empty.
	present map[string]json.RawMessage
}

func once[P any, M interface {
	*P
	proto.Message
}, R proto.Message](do func(*Service, context.Context, call, M) (R, error)) method {
	return method{
		params: func() proto.Message { return M(new(P)) },
		once: func(s *Service, ctx context.Context, c call, params proto.Message) (proto.Message, error) {
			return do(s, ctx, c, params.(M))
		},
	}
}

func stream[P any, M interface {
	*P
	proto.Message
}](do func(*Service, context.Context, call, M) (responses, error)) method {
	return method{
		params: func() proto.Message { return M(new(P)) },
		stream: func(s *Service, ctx context.Context, c call, params proto.Message) (responses, error) {
			return do(s, ctx, c, params.(M))
		},
	}
}

func (m method) with(present map[string]json.RawMessage) method {
	m.present = present
	return m
}

// methods are all that the protocol has; both bindings call them.
var methods = map[string]method{
	"SendMessage":          once((*Service).sendMessage),
	"SendStreamingMessage": stream((*Service).sendStreamingMessage),
	"GetTask":              once((*Service).getTask),
	"ListTasks": once((*Service).listTasks).with(map[string]json.RawMessage{
		"tasks": json.RawMessage(`[]`), "nextPageToken": json.RawMessage(`""`), "pageSize": json.RawMessage(`0`),
		"totalSize": json.RawMessage(`0`),
	}),
	"CancelTask":                       once((*Service).cancelTask),
	"SubscribeToTask":                  stream((*Service).subscribeToTask),
	"CreateTaskPushNotificationConfig": once((*Service).createPushConfig),
	"GetTaskPushNotificationConfig":    once((*Service).getPushConfig),
	"ListTaskPushNotificationConfigs": once((*Service).listPushConfigs).with(map[string]json.RawMessage{
		"configs": json.RawMessage(`[]`), "nextPageToken": json.RawMessage(`""`),
	}),
	"DeleteTaskPushNotificationConfig": once((*Service).deletePushConfig),
	"GetExtendedAgentCard": {
		params:  func() proto.Message { return new(a2apb.GetExtendedAgentCardRequest) },
		written: (*Service).extendedCard,
	},
}

// answer calls a method that answers once.
func (s *Service) answer(ctx context.Context, req request) (json.RawMessage, error) {
	m := req.method
	if m.written != nil {
		return m.written(s, ctx, req.call)
	}
	result, err := m.once(s, ctx, req.call, req.params)
	if err != nil {
		return nil, err
	}
	if m.present != nil {
		return encodeWith(result, m.present)
	}
	return encode(result)
}
