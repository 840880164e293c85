/* Calls of the C library that Swift's Glibc module does not show: it is built without _GNU_SOURCE. */
#pragma once
#include <arpa/inet.h>
#include <linux/falloc.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/kcmp.h>
#include <linux/memfd.h>
#include <linux/sched.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
pid_t gettid(void);
int memfd_create(const char *name, unsigned int flags);
int pidfd_open(pid_t process, unsigned int flags);
int pipe2(int descriptors[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int pthread_setname_np(pthread_t thread, const char *name);
int ptsname_r(int terminal, char *name, size_t size);
int setns(int namespace, int kind);
int tgkill(pid_t process, pid_t thread, int signal);
int unlockpt(int terminal);
int unshare(int kinds);

/* prctl takes any number of arguments, which Swift cannot call. */
static inline int adopt_orphaned_descendants(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/* A socket that receives every frame of an interface once it is bound to one (packet(7)); -1 and errno if it fails. */
static inline int open_packet_socket(void) { return socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL)); }

/* Frees the disk space of a part of a file, which then reads as zeros. */
static inline int punch_hole(int file, off_t start, off_t length) {
    int fallocate(int file, int mode, off_t start, off_t length);
    return fallocate(file, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, start, length);
}

/* Like threads, two processes may share their memory (clone with CLONE_VM). Also no if the kernel does not say. */
static inline int share_memory(pid_t one, pid_t other) {
    long syscall(long number, ...);
    return syscall(SYS_kcmp, one, other, KCMP_VM, 0, 0) == 0;
}
