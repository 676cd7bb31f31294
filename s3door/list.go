package s3door

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quern/blob"
)

// maxKeys is the most that one page of a listing has.
const maxKeys = 1000

// page is what a listing is asked for.
type page struct {
	prefix, delimiter string
	after             string // the last name of the page before
	max               int
	v2, encoded       bool
}

// list answers with a page of the objects below a prefix, in either version of the
// listing.
func (f *Face) list(w http.ResponseWriter, r *http.Request, c call) error {
	p, err := parsePage(c.query)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(p.prefix, c.folder) {
		return errDenied
	}
	found, err := f.find(r.Context(), p)
	if err != nil {
		return err
	}
	return writeXML(w, http.StatusOK, p.document(c.query, found))
}

func parsePage(query url.Values) (page, error) {
	p := page{prefix: query.Get("prefix"), delimiter: query.Get("delimiter"), max: maxKeys, after: query.Get("marker")}
	if text := query.Get("max-keys"); text != "" {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return p, errMaxKeys
		}
		p.max = min(int(n), maxKeys)
	}
	switch query.Get("encoding-type") {
	case "":
	case "url":
		p.encoded = true
	default:
		return p, errEncoding
	}
	switch query.Get("list-type") {
	case "":
		return p, nil
	case "2":
	default:
		return p, errListType
	}
	p.v2, p.after = true, query.Get("start-after")
	if query.Has("continuation-token") {
		name, err := base64.RawURLEncoding.DecodeString(query.Get("continuation-token"))
		if err != nil || len(name) == 0 {
			return p, errContinuation
		}
		p.after = string(name)
	}
	return p, nil
}

// found is a page of objects, and of what names up to the delimiter have in common.
type found struct {
	objects []blob.Info
	common  []string
	last    string // the last name
	more    bool
}

func (f *Face) find(ctx context.Context, p page) (found, error) {
	var all found
	if p.max == 0 || blob.CheckKey(p.prefix+"x") != nil {
		return all, nil // no object's key begins so, and the store is not asked
	}
	for info, err := range f.objects.List(ctx, p.prefix) {
		if err != nil {
			return all, err
		}
		common := p.commonPrefix(info.Key)
		seen := common != "" && (common == all.last || common == p.after)
		if info.Key <= p.after || seen {
			continue
		}
		if len(all.objects)+len(all.common) == p.max {
			all.more = true
			break
		}
		if all.last = common; common != "" {
			all.common = append(all.common, common)
		} else {
			all.objects, all.last = append(all.objects, info), info.Key
		}
	}
	return all, nil
}

// commonPrefix returns what a key has up to the delimiter behind the prefix, "" when
// it has none.
func (p page) commonPrefix(key string) string {
	if p.delimiter == "" {
		return ""
	}
	head, _, cut := strings.Cut(key[len(p.prefix):], p.delimiter)
	if !cut {
		return ""
	}
	return p.prefix + head + p.delimiter
}

// The documents of both versions.
type (
	listing struct {
		XMLName               struct{} `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListBucketResult"`
		Name                  string
		Prefix                string
		Marker                *string
		NextMarker            string `xml:",omitempty"`
		StartAfter            string `xml:",omitempty"`
		ContinuationToken     string `xml:",omitempty"`
		NextContinuationToken string `xml:",omitempty"`
		KeyCount              *int
		MaxKeys               int
		Delimiter             string `xml:",omitempty"`
		EncodingType          string `xml:",omitempty"`
		IsTruncated           bool
		Contents              []listed
		CommonPrefixes        []commonPrefix
	}
	listed struct {
		Key, LastModified, ETag string
		Size                    int64
		StorageClass            string
	}
	commonPrefix struct{ Prefix string }
)

func (p page) document(query url.Values, f found) listing {
	name := func(text string) string {
		if p.encoded {
			return escape(text, "/")
		}
		return text
	}
	d := listing{
		Name: Bucket, Prefix: name(p.prefix), Delimiter: name(p.delimiter), EncodingType: query.Get("encoding-type"),
		MaxKeys: p.max, IsTruncated: f.more,
	}
	if p.v2 {
		count := len(f.objects) + len(f.common)
		d.KeyCount, d.StartAfter, d.ContinuationToken = &count, name(query.Get("start-after")), query.Get("continuation-token")
	} else {
		marker := name(p.after)
		d.Marker = &marker
	}
	switch {
	case f.more && p.v2:
		d.NextContinuationToken = base64.RawURLEncoding.EncodeToString([]byte(f.last))
	case f.more:
		d.NextMarker = name(f.last)
	}
	for _, o := range f.objects {
		d.Contents = append(d.Contents, listed{
			Key: name(o.Key), LastModified: o.Modified.UTC().Format("2006-01-02T15:04:05.000Z"), ETag: etag(o),
			Size: o.Size, StorageClass: "STANDARD",
		})
	}
	for _, prefix := range f.common {
		d.CommonPrefixes = append(d.CommonPrefixes, commonPrefix{name(prefix)})
	}
	return d
}
