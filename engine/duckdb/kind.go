package duckdb

import (
	"errors"
	"fmt"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"quern"
)

var errUnsupported = errors.New("values of this type cannot be returned; cast them to text")

// kind says how the values of a vector are laid out and what they become.
type kind struct {
	id       bindings.Type
	store    bindings.Type // what decimals and enums are stored as
	column   quern.Type
	scale    int
	length   int      // of an array
	words    []string // of an enum
	names    []string // of a struct's or union's members
	children []*kind
}

// plain lists the types that need nothing more to be known, and the column type
// they are shown as.
var plain = map[bindings.Type]quern.Type{
	bindings.TypeBoolean: quern.Boolean, bindings.TypeTinyInt: quern.Integer,
	bindings.TypeSmallInt: quern.Integer, bindings.TypeInteger: quern.Integer,
	bindings.TypeBigInt: quern.Integer, bindings.TypeUTinyInt: quern.Integer,
	bindings.TypeUSmallInt: quern.Integer, bindings.TypeUInteger: quern.Integer,
	bindings.TypeUBigInt: quern.Integer, bindings.TypeHugeInt: quern.Integer,
	bindings.TypeUHugeInt: quern.Integer, bindings.TypeFloat: quern.Double,
	bindings.TypeDouble: quern.Double, bindings.TypeDate: quern.Date,
	bindings.TypeTimestamp: quern.Timestamp, bindings.TypeTimestampS: quern.Timestamp,
	bindings.TypeTimestampMS: quern.Timestamp, bindings.TypeTimestampNS: quern.Timestamp,
	bindings.TypeTimestampTZ: quern.Timestamp, bindings.TypeTime: quern.Text,
	bindings.TypeTimeTZ: quern.Text, bindings.TypeInterval: quern.Text,
	bindings.TypeUUID: quern.Text, bindings.TypeBlob: quern.Text,
	bindings.TypeSQLNull: quern.Text,
}

func newKind(t bindings.LogicalType) (*kind, error) {
	k := &kind{id: bindings.GetTypeId(t), column: quern.JSON}
	if column, ok := plain[k.id]; ok {
		k.column = column
		return k, nil
	}
	switch k.id {
	case bindings.TypeVarchar:
		if k.column = quern.Text; bindings.LogicalTypeGetAlias(t) == "JSON" {
			k.column = quern.JSON
		}
		return k, nil
	case bindings.TypeDecimal:
		k.scale = int(bindings.DecimalScale(t))
		k.store = bindings.DecimalInternalType(t)
		k.column = quern.Decimal(int(bindings.DecimalWidth(t)), k.scale)
		return k, nil
	case bindings.TypeEnum:
		k.column, k.store = quern.Text, bindings.EnumInternalType(t)
		for i := range bindings.EnumDictionarySize(t) {
			k.words = append(k.words, bindings.EnumDictionaryValue(t, bindings.IdxT(i)))
		}
		return k, nil
	}
	return k, k.addChildren(t)
}

func (k *kind) addChildren(t bindings.LogicalType) error {
	switch k.id {
	case bindings.TypeList:
		return k.add("", bindings.ListTypeChildType(t))
	case bindings.TypeArray:
		k.length = int(bindings.ArrayTypeArraySize(t))
		return k.add("", bindings.ArrayTypeChildType(t))
	case bindings.TypeMap:
		return errors.Join(k.add("", bindings.MapTypeKeyType(t)), k.add("", bindings.MapTypeValueType(t)))
	case bindings.TypeStruct:
		for i := range bindings.StructTypeChildCount(t) {
			if err := k.add(bindings.StructTypeChildName(t, i), bindings.StructTypeChildType(t, i)); err != nil {
				return err
			}
		}
		return nil
	case bindings.TypeUnion:
		for i := range bindings.UnionTypeMemberCount(t) {
			if err := k.add(bindings.UnionTypeMemberName(t, i), bindings.UnionTypeMemberType(t, i)); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("type %d: %w", k.id, errUnsupported)
}

func (k *kind) add(name string, t bindings.LogicalType) error {
	defer bindings.DestroyLogicalType(&t)
	child, err := newKind(t)
	k.names = append(k.names, name)
	k.children = append(k.children, child)
	return err
}
