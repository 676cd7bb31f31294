package a2a

import (
	"context"
	"errors"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"

	"quern"
	"quern/door"
)

func (s *Service) sendStreamingMessage(ctx context.Context, c call, p *a2apb.SendMessageRequest) (responses, error) {
	begun, err := s.begin(ctx, c, p)
	if err != nil {
		return nil, err
	}
	all := renderers(c.agent, begun.runs, begun.view.modes)
	return s.follow(ctx, c, all[len(all)-1], 0), nil
}

func (s *Service) subscribeToTask(ctx context.Context, c call, p *a2apb.SubscribeToTaskRequest) (responses, error) {
	wrong := checkTenant(p.GetTenant())
	if p.GetId() == "" {
		wrong = append(wrong, violation{"id", "is required"})
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	runs, err := s.task(ctx, c, p.GetId())
	if err != nil {
		return nil, err
	}
	latest := last(runs)
	if state := stateOf(latest); terminal(state) {
		return nil, fail(unsupportedOperation, "the task has ended: there is nothing to follow").
			about("taskId", p.GetId()).about("state", state.String())
	}
	all := renderers(c.agent, runs, allModes)
	return func(yield func(*a2apb.StreamResponse, error) bool) {
		now := &a2apb.StreamResponse{Payload: &a2apb.StreamResponse_Task{Task: snapshot(c.agent, runs, wholeView)}}
		if !yield(now, nil) || latest.Status.Final() {
			return
		}
		s.follow(ctx, c, all[len(all)-1], latest.Last)(yield)
	}, nil
}

// follow yields responses for a run's events behind a number: those that are
// stored, then the others as they happen. A server that stops ends the stream, not the run.
func (s *Service) follow(ctx context.Context, c call, t renderer, after int64) responses {
	return func(yield func(*a2apb.StreamResponse, error) bool) {
		living, cancel := door.UntilStopping(ctx)
		defer cancel()
		for ended := false; !ended && living.Err() == nil; {
			events, last, err := s.next(living, c, t.run.ID, after)
			switch {
			case err != nil && living.Err() != nil && ctx.Err() == nil:
				return // the server stops, the run goes on
			case err != nil:
				yield(nil, err)
				return
			case len(events) == 0 && !last && !yield(nil, nil):
				return
			}
			for _, e := range events {
				after = e.Seq
				if !yieldEvent(t, e, yield) {
					return
				}
			}
			ended = last
		}
	}
}

func yieldEvent(t renderer, e quern.RunEvent, yield func(*a2apb.StreamResponse, error) bool) bool {
	all, err := t.renderEvent(e)
	if err != nil {
		yield(nil, err)
		return false
	}
	for _, one := range all {
		if !yield(one, nil) {
			return false
		}
	}
	return true
}

// next waits for events of a run, but not for longer than a client should wait
// for a sign of life.
func (s *Service) next(ctx context.Context, c call, id quern.RunID, after int64) (events []quern.RunEvent, last bool, err error) {
	waiting, cancel := context.WithTimeout(ctx, keepAlive)
	defer cancel()
	events, last, err = s.Runs.Next(waiting, c.principal, id, after)
	if err != nil && ctx.Err() == nil && errors.Is(waiting.Err(), context.DeadlineExceeded) {
		return nil, false, nil
	}
	return events, last, err
}
