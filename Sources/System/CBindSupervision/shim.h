/* System calls that wait for the answer of another process, seccomp(2), and what that process needs to answer. */
#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* From here on the kernel asks about each bind(2) of this process and its descendants, seccomp(2). The questions come on
   the returned descriptor; -1 and errno if the kernel does not support this. */
static inline int supervise_binds(void) {
#if defined(__x86_64__)
    const unsigned machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
    const unsigned machine = AUDIT_ARCH_AARCH64;
#else
    const unsigned machine = 0;
#endif
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bind, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    long syscall(long number, ...);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* A bind that waits for its answer: the thread, and its arguments. */
struct waiting_bind {
    unsigned long long id, address;
    pid_t thread;
    int socket;
    unsigned length;
};

/* Waits for the next; -1 and errno: ENOENT if its thread has ended meanwhile. */
static inline int next_bind(int listener, struct waiting_bind *bind) {
    /* Room for fields of later kernels. */
    union { struct seccomp_notif call; char room[512]; } heard;
    memset(&heard, 0, sizeof heard);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &heard) != 0) return -1;
    bind->id = heard.call.id;
    bind->thread = (pid_t)heard.call.pid;
    bind->socket = (int)heard.call.data.args[0];
    bind->address = heard.call.data.args[1];
    bind->length = (unsigned)heard.call.data.args[2];
    return 0;
}

/* Lets the kernel carry a bind out (goes_on), or makes it return 0, or fail with an errno. */
static inline int answer_bind(int listener, unsigned long long id, int goes_on, int failure) {
    union { struct seccomp_notif_resp answer; char room[512]; } told;
    memset(&told, 0, sizeof told);
    told.answer.id = id;
    told.answer.error = -failure;
    told.answer.flags = goes_on ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &told);
}

/* Replaces the socket of the waiting process by a descriptor. */
static inline int replace_socket(int listener, const struct waiting_bind *bind, int descriptor, unsigned flags) {
    struct seccomp_notif_addfd given = {
        .id = bind->id, .flags = SECCOMP_ADDFD_FLAG_SETFD, .srcfd = (unsigned)descriptor,
        .newfd = (unsigned)bind->socket, .newfd_flags = flags,
    };
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given) < 0 ? -1 : 0;
}

/* A copy of another process's descriptor, pidfd_getfd(2); -1 and errno. */
static inline int copy_descriptor(pid_t process, int descriptor) {
    long syscall(long number, ...);
    int close(int descriptor);
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle < 0) return -1;
    int copy = (int)syscall(SYS_pidfd_getfd, handle, descriptor, 0);
    int failure = errno;
    close(handle);
    errno = failure;
    return copy;
}

/* Lets a socket take only the packets that a program of the packet filter accepts, SO_ATTACH_FILTER of socket(7). */
static inline int attach_filter(int socket, struct sock_filter *filter, unsigned short count) {
    int setsockopt(int socket, int level, int name, const void *value, unsigned size);
    struct sock_fprog program = {count, filter};
    return setsockopt(socket, 1 /* SOL_SOCKET */, 26 /* SO_ATTACH_FILTER */, &program, sizeof program);
}
