package script

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// rule allows one system call if all conditions are met.
type rule struct {
	call uint32
	when []condition
}

// condition requires that 32 bits of an argument, masked, have one of the
// values.
type condition struct {
	argument int
	high     bool // the upper half of the argument instead of the lower
	mask     uint32
	oneOf    []uint32
}

// allow returns rules without conditions.
func allow(calls ...uint32) []rule {
	rules := make([]rule, len(calls))
	for i, call := range calls {
		rules[i].call = call
	}
	return rules
}

// oneOf returns the condition that the argument has one of the values.
func oneOf(argument int, values ...uint32) condition {
	return condition{argument: argument, mask: ^uint32(0), oneOf: values}
}

// without returns the condition that the argument has none of the bits.
func without(argument int, bits uint32) condition {
	return condition{argument: argument, mask: bits, oneOf: []uint32{0}}
}

// null returns the conditions that the argument is a null pointer.
func null(argument int) []condition {
	upper := oneOf(argument, 0)
	upper.high = true
	return []condition{oneOf(argument, 0), upper}
}

const (
	// Offsets in struct seccomp_data.
	callNumber    = 0
	callArch      = 4
	callArguments = 16 // of 8 bytes each

	// x32Calls is the first number of the x32 calls of amd64.
	x32Calls = 0x40000000
	// lastKnownCall is the latest call that the rules were written for.
	lastKnownCall = unix.SYS_MSEAL
)

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

// jump compares the loaded value and skips instructions.
func jump(comparison uint16, value uint32, ifTrue, ifFalse int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | comparison, K: value, Jt: uint8(ifTrue), Jf: uint8(ifFalse)}
}

func answer(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

func refuse(code unix.Errno) unix.SockFilter { return answer(unix.SECCOMP_RET_ERRNO | uint32(code)) }

// filterOf compiles rules to a program that refuses every other call with
// EPERM. The action for execve is separate: 0 refuses it.
//
// Calls that are newer than the rules do not exist for the process, and neither
// do clone3 and openat2, whose arguments a filter cannot see: C libraries then
// use older calls.
func filterOf(rules []rule, execve uint32) []unix.SockFilter {
	program := []unix.SockFilter{
		load(callArch),
		jump(unix.BPF_JEQ, auditArch, 1, 0), answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(callNumber),
		jump(unix.BPF_JGE, x32Calls, 0, 1), refuse(unix.EPERM),
		jump(unix.BPF_JGT, lastKnownCall, 2, 0),
		jump(unix.BPF_JEQ, unix.SYS_CLONE3, 1, 0),
		jump(unix.BPF_JEQ, unix.SYS_OPENAT2, 0, 1), refuse(unix.ENOSYS),
	}
	for _, r := range rules {
		body := r.body()
		program = append(append(program, jump(unix.BPF_JEQ, r.call, 0, len(body))), body...)
	}
	if execve != 0 {
		program = append(program, jump(unix.BPF_JEQ, unix.SYS_EXECVE, 0, 1), answer(execve))
	}
	return append(program, refuse(unix.EPERM))
}

// body returns the instructions that decide about the call of the rule.
func (r rule) body() (program []unix.SockFilter) {
	for _, c := range r.when {
		offset := callArguments + 8*uint32(c.argument)
		if c.high {
			offset += 4
		}
		program = append(program, load(offset))
		if c.mask != ^uint32(0) {
			program = append(program, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: c.mask})
		}
		for i, value := range c.oneOf {
			program = append(program, jump(unix.BPF_JEQ, value, len(c.oneOf)-i, 0))
		}
		program = append(program, refuse(unix.EPERM))
	}
	return append(program, answer(unix.SECCOMP_RET_ALLOW))
}

// install puts a filter in force for this thread, or for all threads with the
// flag TSYNC. It does not allocate memory, and cannot be preempted. With the flag
// NEW_LISTENER, result is the descriptor of the listener; with TSYNC, it is a thread
// that prevented it.
//
//go:nosplit
func install(filter []unix.SockFilter, flags uintptr) (result int, code unix.Errno) {
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	value, _, code := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	return int(value), code
}

// canFilterCalls reports whether the kernel has system call filters.
func canFilterCalls() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, code := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return code == 0
}
