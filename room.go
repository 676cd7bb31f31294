package quern

// Room is how much of something that has a limit is taken: places, entries or bytes.
type Room struct{ Taken, Limit int64 }

// Places is the room of places that are taken by sending to a channel.
func Places(slots chan struct{}) Room { return Room{int64(len(slots)), int64(cap(slots))} }
