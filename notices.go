package quern

import _ "embed"

// Licence is the licence of Quern.
//
//go:embed LICENSE
var Licence string

// Notice names what is in Quern that others made.
//
//go:embed NOTICE
var Notice string

// ThirdPartyNotices holds the licences of the modules in the binary, with their
// texts; scripts/notices writes it.
//
//go:embed THIRD_PARTY_NOTICES.md
var ThirdPartyNotices string
