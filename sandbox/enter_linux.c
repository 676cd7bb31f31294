// What a worker gives up before the Go runtime starts, while the process has one
// thread: everything started later inherits it. It runs in every process that
// links this package and does nothing unless QUERN_SANDBOX is set.
//
// QUERN_SANDBOX holds lines. The first letter says what a folder or file is open
// for: r reading, n reading and names (making, linking and removing files), w all
// of that and writing; the path follows.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enter_linux.h"

// 0 or a positive number: in force; negative: the error that kept it from being so.
int quern_landlock = -ENOSYS;
int quern_seccomp = -ENOSYS;
int quern_capabilities = -ENOSYS;

// The kernel's interface, which older headers lack.
struct ruleset {
	uint64_t fs, net, scoped;
};
struct beneath {
	uint64_t access;
	int32_t parent;
} __attribute__((packed));

#define FS_EXECUTE (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
#define FS_REMOVE_DIR (1ULL << 4)
#define FS_REMOVE_FILE (1ULL << 5)
#define FS_MAKE_DIR (1ULL << 7)
#define FS_MAKE_REG (1ULL << 8)
#define FS_REFER (1ULL << 13)
#define FS_TRUNCATE (1ULL << 14)
#define FS_IOCTL_DEV (1ULL << 15)

#define SYS_LANDLOCK_CREATE 444
#define SYS_LANDLOCK_ADD 445
#define SYS_LANDLOCK_RESTRICT 446

static uint64_t access_of(char mode) {
	uint64_t access = FS_READ_FILE | FS_READ_DIR | FS_REFER;
	if (mode == 'n' || mode == 'w')
		access |= FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG;
	if (mode == 'w')
		access |= FS_WRITE_FILE | FS_TRUNCATE;
	return access;
}

static int allow_path(int set, char mode, const char *path, uint64_t handled) {
	struct beneath rule = {.access = access_of(mode) & handled};
	struct stat info;
	// It stays open: the kernel makes the entries of /proc anew when nobody holds
	// them, and a rule is for the entry that it was made with.
	rule.parent = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent < 0)
		return errno == ENOENT ? 0 : -errno; // what is not there cannot be read
	if (fstat(rule.parent, &info) == 0 && !S_ISDIR(info.st_mode))
		rule.access &= FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE;
	return syscall(SYS_LANDLOCK_ADD, set, 1, &rule, 0) ? -errno : 0;
}

static int allow_paths(int set, const char *spec, uint64_t handled) {
	char path[4096];
	while (*spec) {
		size_t length = strcspn(spec, "\n");
		if (length < 2 || length >= sizeof path)
			return -EINVAL;
		memcpy(path, spec + 1, length - 1);
		path[length - 1] = 0;
		int failed = allow_path(set, *spec, path, handled);
		if (failed)
			return failed;
		spec += length;
		if (*spec == '\n')
			spec++;
	}
	return 0;
}

static int restrict_files(const char *spec) {
	int abi = syscall(SYS_LANDLOCK_CREATE, NULL, 0, 1);
	if (abi < 0)
		return -errno;
	struct ruleset all = {.fs = FS_REFER - 1}; // all rights of the first version
	size_t size = sizeof all.fs;
	if (abi >= 2)
		all.fs |= FS_REFER;
	if (abi >= 3)
		all.fs |= FS_TRUNCATE;
	if (abi >= 4) {
		all.net = 3; // binding and connecting TCP sockets
		size = offsetof(struct ruleset, scoped);
	}
	if (abi >= 5)
		all.fs |= FS_IOCTL_DEV;
	if (abi >= 6) {
		all.scoped = 3; // abstract sockets and signals of processes outside
		size = sizeof all;
	}
	int set = syscall(SYS_LANDLOCK_CREATE, &all, size, 0);
	if (set < 0)
		return -errno;
	int failed = allow_paths(set, spec, all.fs);
	if (!failed && syscall(SYS_LANDLOCK_RESTRICT, set, 0))
		failed = -errno;
	close(set);
	return failed ? failed : abi;
}

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

// denied are calls that a worker never needs: the network, programs, other
// processes, memory that no limit counts, owners and modes of files (which
// Landlock leaves alone), and the machine.
static const int denied[] = {
	__NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
	__NR_sendmsg, __NR_sendmmsg, __NR_recvmsg, __NR_recvmmsg,
	__NR_execve, __NR_execveat, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp,
	__NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_tkill, __NR_setpriority, __NR_sched_setaffinity,
	__NR_sched_setscheduler, __NR_sched_setattr, __NR_sched_setparam, __NR_ioprio_set,
	__NR_memfd_create, __NR_shmget, __NR_shmat, __NR_msgget, __NR_semget, __NR_mq_open, __NR_userfaultfd,
	__NR_mlock, __NR_mlockall, __NR_mlock2,
	__NR_fchmod, __NR_fchmodat, __NR_fchown, __NR_fchownat, __NR_utimensat,
	__NR_setxattr, __NR_lsetxattr, __NR_fsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr,
	__NR_mknodat, __NR_name_to_handle_at, __NR_open_by_handle_at, __NR_setrlimit,
	__NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_unshare, __NR_setns,
	__NR_bpf, __NR_perf_event_open, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_personality,
	__NR_kexec_load, __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_reboot,
	__NR_swapon, __NR_swapoff, __NR_sethostname, __NR_setdomainname, __NR_acct, __NR_quotactl, __NR_syslog,
	__NR_settimeofday, __NR_clock_settime, __NR_clock_adjtime, __NR_adjtimex, __NR_fanotify_init,
	__NR_setuid, __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setgroups,
#if defined(__x86_64__)
	__NR_fork, __NR_vfork, __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
	__NR_mknod, __NR_iopl, __NR_ioperm, __NR_modify_ldt,
#endif
	424 /* pidfd_send_signal */, 425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */,
	428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */,
	434 /* pidfd_open */, 438 /* pidfd_getfd */, 440 /* process_madvise */, 442 /* mount_setattr */, 443 /* quotactl_fd */,
	447 /* memfd_secret */, 452 /* fchmodat2 */, 463 /* setxattrat */, 466 /* removexattrat */,
};

#define COUNT (sizeof denied / sizeof *denied)
#define REFUSE(code) (SECCOMP_RET_ERRNO | (code))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define JUMP(kind, value, yes, no) BPF_JUMP(BPF_JMP | (kind) | BPF_K, (value), (yes), (no))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))

static int restrict_calls(void) {
#ifndef ARCH
	return -ENOSYS;
#else
	struct sock_filter filter[2 * COUNT + 40];
	size_t n = 0;
#define ADD(...) filter[n++] = (struct sock_filter)__VA_ARGS__
	ADD(LOAD(arch));
	ADD(JUMP(BPF_JEQ, ARCH, 1, 0));
	ADD(RETURN(REFUSE(EPERM)));
	ADD(LOAD(nr));
	ADD(JUMP(BPF_JGE, 0x40000000, 0, 1)); // the other numbering of x86
	ADD(RETURN(REFUSE(EPERM)));
	for (size_t i = 0; i < COUNT; i++) {
		ADD(JUMP(BPF_JEQ, denied[i], 0, 1));
		ADD(RETURN(REFUSE(EPERM)));
	}
	// Its flags are out of a filter's sight; the C library goes on with clone.
	ADD(JUMP(BPF_JEQ, 435 /* clone3 */, 0, 1));
	ADD(RETURN(REFUSE(ENOSYS)));
	// Threads, not processes.
	ADD(JUMP(BPF_JEQ, __NR_clone, 0, 4));
	ADD(LOAD(args[0]));
	ADD(JUMP(BPF_JSET, CLONE_THREAD, 0, 1));
	ADD(RETURN(SECCOMP_RET_ALLOW));
	ADD(RETURN(REFUSE(EPERM)));
	// Signals to itself, which the runtime sends to its threads.
	ADD(JUMP(BPF_JEQ, __NR_tgkill, 1, 0));
	ADD(JUMP(BPF_JEQ, __NR_kill, 0, 4));
	ADD(LOAD(args[0]));
	ADD(JUMP(BPF_JEQ, (uint32_t)getpid(), 0, 1));
	ADD(RETURN(SECCOMP_RET_ALLOW));
	ADD(RETURN(REFUSE(EPERM)));
	// Limits may be read, not set: the pointer to new ones must be null.
	ADD(JUMP(BPF_JEQ, __NR_prlimit64, 0, 6));
	ADD(LOAD(args[2]));
	ADD(JUMP(BPF_JEQ, 0, 0, 3));
	ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]) + 4));
	ADD(JUMP(BPF_JEQ, 0, 0, 1));
	ADD(RETURN(SECCOMP_RET_ALLOW));
	ADD(RETURN(REFUSE(EPERM)));
	ADD(RETURN(SECCOMP_RET_ALLOW));
	struct sock_fprog program = {.len = n, .filter = filter};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -errno : 1;
#endif
}

static int drop_capabilities(void) {
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}, {0}};
	return syscall(SYS_capset, &header, none) ? -errno : 1;
}

// offer_to_killer has the system's own killer of processes take a worker first.
static void offer_to_killer(void) {
	int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return;
	if (write(file, "1000", 4) < 0) {
		// The server is then as likely to be taken; nothing else depends on it.
	}
	close(file);
}

__attribute__((constructor)) static void quern_enter_sandbox(void) {
	const char *spec = getenv("QUERN_SANDBOX");
	if (!spec)
		return;
	struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	offer_to_killer();
	setpriority(PRIO_PROCESS, 0, 5); // the server's own work comes first
	prctl(PR_SET_DUMPABLE, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
		quern_landlock = quern_seccomp = quern_capabilities = -errno;
		return;
	}
	quern_landlock = restrict_files(spec);
	quern_capabilities = drop_capabilities();
	quern_seccomp = restrict_calls();
}
