package rest

import (
	"context"
	"encoding/json"
	"time"

	"quern"
	"quern/api"
)

const (
	defaultUsagePage = 25
	defaultDays      = 30
	mostDays         = 366
	// microUnits is how many millionths a unit of currency has.
	microUnits = 1e6
)

// UsageHistory lists the caller's requests and model calls.
func (o operations) UsageHistory(ctx context.Context, r api.UsageHistoryRequestObject) (api.UsageHistoryResponseObject, error) {
	limit := int(r.Params.PageSize)
	if limit == 0 {
		limit = defaultUsagePage
	}
	behind, err := usageCursor(r.Params.PageCursor)
	if err != nil {
		return nil, err
	}
	// One more than asked for tells whether there is another page.
	events, err := o.Usage.Usage(ctx, principal(ctx), quern.UsagePage{
		Span: quern.UsageSpan{OnOrAfter: r.Params.OnOrAfter, Before: r.Params.Before}, Behind: behind, Limit: limit + 1,
	})
	if err != nil {
		return nil, err
	}
	page := api.UsageHistory200JSONResponse{Data: []api.UsageEvent{}}
	page.Meta.PageSize = int32(limit)
	if len(events) > limit {
		events = events[:limit]
		last := events[limit-1]
		page.Meta.PageCursor = api.UsageCursor{LastStartTime: last.At.UTC(), LastObservationID: string(last.ID)}
	}
	for _, e := range events {
		page.Data = append(page.Data, api.UsageEvent{
			ID: string(e.ID), Timestamp: e.At.UTC(), Operation: e.Operation, Units: e.Units,
			Provider: e.Provider, Model: e.Model, TokensUsed: e.Tokens, CostUSD: float64(e.Cost) / microUnits,
		})
	}
	return page, nil
}

// usageCursor returns the event that a page follows on. Malformed when the text
// is no cursor that was handed out.
func usageCursor(text string) (quern.UsageID, error) {
	if text == "" {
		return "", nil
	}
	var cursor api.UsageCursor
	if err := json.Unmarshal([]byte(text), &cursor); err != nil || !quern.ValidID(cursor.LastObservationID) {
		return "", badParameter("pageCursor").With(quern.SubError{
			Code: "format", Message: "pageCursor: must be the meta.pageCursor of the page before, as JSON",
		})
	}
	return quern.UsageID(cursor.LastObservationID), nil
}

// UsageByDay adds up the caller's model calls and counts the requests.
func (o operations) UsageByDay(ctx context.Context, r api.UsageByDayRequestObject) (api.UsageByDayResponseObject, error) {
	zone, err := timeZone(r.Params.TimeZoneForAggregation)
	if err != nil {
		return nil, err
	}
	span, err := usageDays(r.Params.OnOrAfter, r.Params.Before, o.Now())
	if err != nil {
		return nil, err
	}
	sums, err := o.Usage.ModelUsageSums(ctx, principal(ctx), span, zone)
	if err != nil {
		return nil, err
	}
	answer := api.UsageByDay200JSONResponse{Data: []api.UsageSum{}, Requests: []api.UsageDay{}, Models: []api.ModelUsageDay{}}
	answer.Meta.TimeZoneForAggregation = zone.String()
	for _, s := range sums {
		answer.Data = append(answer.Data, api.UsageSum{Date: s.Day, TokensUsed: s.Tokens, CostUSD: float64(s.Cost) / microUnits})
	}
	return answer, o.addDailyUsage(ctx, span, &answer)
}

// addDailyUsage adds what is counted by the days of UTC.
func (o operations) addDailyUsage(ctx context.Context, span quern.UsageSpan, answer *api.UsageByDay200JSONResponse) error {
	from := span.OnOrAfter.UTC().Format(time.DateOnly)
	to := span.Before.UTC().Add(-time.Nanosecond).Format(time.DateOnly)
	counts, err := o.Usage.UsageByDay(ctx, principal(ctx), from, to)
	if err != nil {
		return err
	}
	models, err := o.Usage.ModelUsageByDay(ctx, principal(ctx), from, to)
	if err != nil {
		return err
	}
	for _, c := range counts {
		answer.Requests = append(answer.Requests, api.UsageDay{Day: c.Day, Operation: c.Operation, Requests: c.Requests})
	}
	for _, m := range models {
		answer.Models = append(answer.Models, api.ModelUsageDay{
			Day: m.Day, Provider: m.Provider, Model: m.Model, Requests: m.Requests,
			InputTokens: m.InputTokens, OutputTokens: m.OutputTokens, Cost: float64(m.Cost) / microUnits,
		})
	}
	return nil
}

// timeZone returns the zone with an IANA name, UTC when there is none. The
// machine's own zone has no name that callers could know.
func timeZone(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		return nil, badParameter("timeZoneForAggregation").With(quern.SubError{
			Code: "format", Message: "timeZoneForAggregation: must be the IANA name of a time zone, such as Europe/Lisbon",
		})
	}
	return zone, nil
}

// usageDays fills in the bounds that the caller left out and refuses spans that
// are too long.
func usageDays(from, before, now time.Time) (quern.UsageSpan, error) {
	if before.IsZero() {
		before = now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	}
	if from.IsZero() {
		from = before.AddDate(0, 0, -defaultDays)
	}
	if !from.Before(before) || before.Sub(from) > mostDays*24*time.Hour {
		return quern.UsageSpan{}, quern.E(quern.Invalid, quern.CodeInvalid, "the days are not valid").With(quern.SubError{
			Code: "range", Message: "onOrAfter: must be earlier than before, and at most 366 days are counted",
		})
	}
	return quern.UsageSpan{OnOrAfter: from, Before: before}, nil
}
