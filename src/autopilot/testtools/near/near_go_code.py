"""What stands in a Go file while its functions return something near: code of Autopilot, not of the product."""

from __future__ import annotations

IMPORTS = b'\nimport nearReflectWORD "reflect"\nimport nearAtomicWORD "sync/atomic"\n'

CODE = rb"""
var nearDepthWORD int32

func nearEnterWORD() bool { return nearAtomicWORD.AddInt32(&nearDepthWORD, 1) == 1 }

func nearLeaveWORD() { nearAtomicWORD.AddInt32(&nearDepthWORD, -1) }

func nearValueWORD[T any](value T) T {
	nearSetWORD(nearReflectWORD.ValueOf(&value).Elem(), 0)
	return value
}

func nearTextWORD(text string) string {
	other := []byte(text)
	for place, char := range other {
		switch {
		case char >= 'a' && char <= 'z':
			other[place] = 'a' + (char-'a'+1)%26
		case char >= 'A' && char <= 'Z':
			other[place] = 'A' + (char-'A'+1)%26
		case char >= '0' && char <= '9':
			other[place] = '0' + (char-'0'+1)%10
		}
	}
	if string(other) == text {
		return text + "x"
	}
	return string(other)
}

func nearSetWORD(value nearReflectWORD.Value, depth int) {
	if depth > 5 || !value.CanSet() {
		return
	}
	switch value.Kind() {
	case nearReflectWORD.Bool:
		value.SetBool(!value.Bool())
	case nearReflectWORD.Int, nearReflectWORD.Int8, nearReflectWORD.Int16, nearReflectWORD.Int32, nearReflectWORD.Int64:
		value.SetInt(value.Int() + 1)
	case nearReflectWORD.Uint, nearReflectWORD.Uint8, nearReflectWORD.Uint16, nearReflectWORD.Uint32,
		nearReflectWORD.Uint64:
		value.SetUint(value.Uint() + 1)
	case nearReflectWORD.Float32, nearReflectWORD.Float64:
		value.SetFloat(value.Float() + 1)
	case nearReflectWORD.String:
		value.SetString(nearTextWORD(value.String()))
	case nearReflectWORD.Slice:
		size := value.Len()
		if size == 0 {
			size = 1
		}
		other := nearReflectWORD.MakeSlice(value.Type(), size, size)
		nearReflectWORD.Copy(other, value)
		for place := 0; place < size; place++ {
			nearSetWORD(other.Index(place), depth+1)
		}
		value.Set(other)
	case nearReflectWORD.Map:
		other := nearReflectWORD.MakeMap(value.Type())
		for _, key := range value.MapKeys() {
			item := nearReflectWORD.New(value.Type().Elem()).Elem()
			item.Set(value.MapIndex(key))
			nearSetWORD(item, depth+1)
			other.SetMapIndex(key, item)
		}
		if value.Len() == 0 {
			other.SetMapIndex(nearReflectWORD.Zero(value.Type().Key()), nearReflectWORD.Zero(value.Type().Elem()))
		}
		value.Set(other)
	case nearReflectWORD.Struct:
		settable := false
		for place := 0; place < value.NumField(); place++ {
			settable = settable || value.Field(place).CanSet()
			nearSetWORD(value.Field(place), depth+1)
		}
		if !settable {
			value.Set(nearReflectWORD.Zero(value.Type()))
		}
	case nearReflectWORD.Ptr:
		other := nearReflectWORD.New(value.Type().Elem())
		if !value.IsNil() {
			other.Elem().Set(value.Elem())
		}
		nearSetWORD(other.Elem(), depth+1)
		value.Set(other)
	case nearReflectWORD.Array:
		for place := 0; place < value.Len(); place++ {
			nearSetWORD(value.Index(place), depth+1)
		}
	default:
		value.Set(nearReflectWORD.Zero(value.Type()))
	}
}
"""
