package sandbox

// #include "enter_linux.h"
import "C"

// ownGuards reports what holds this process.
func ownGuards() Guards {
	return Guards{Landlock: int(C.quern_landlock), Seccomp: int(C.quern_seccomp), Capabilities: int(C.quern_capabilities)}
}
