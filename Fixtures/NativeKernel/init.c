// First program of a native board, and the parent of all others. It does what initramfs-init, hil-setup and inittab of
// the board image do on an emulated board, in one program: starting forty of them would take half of a board's start.
// Where a step fails it says so and ends; then the kernel panics, and the board's process with it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void check(int result, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "init: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void read_text(const char *path, char *text, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    check(file, path);
    ssize_t count = read(file, text, size - 1);
    check(count, path);
    text[count] = 0;
    close(file);
}

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    check(file, path);
    check(write(file, text, strlen(text)), path);
    return file;
}

static void write_text(const char *path, const char *text) { close(write_file(path, text)); }

static void mount_at(const char *target, const char *source, const char *type, unsigned long flags, const char *data) {
    mkdir(target, 0755);
    check(mount(source, target, type, flags, data), target);
}

// The shared read-only image under a layer on the board's own disk, as the root of all paths. What is on the disk, and
// nothing else, is there again after a power cut. Through /disk the agent makes it full.
static void mount_root(void) {
    mount_at("/disk", "/dev/ubdc", "ext4", MS_NOATIME, NULL);
    unlink("/disk/filler");
    mkdir("/disk/upper", 0755);
    mkdir("/disk/work", 0755);
    mount_at("/board", "board", "overlay", MS_NOATIME, "lowerdir=/image,upperdir=/disk/upper,workdir=/disk/work");
    mkdir("/board/opt", 0755);
    mount_at("/board/opt/hil", "/dev/ubdb", "erofs", MS_RDONLY, NULL);
    mount_at("/board/proc", "/proc", NULL, MS_MOVE, NULL);
    mount_at("/board/sys", "sys", "sysfs", 0, NULL);
    mount_at("/board/run", "run", "tmpfs", 0, NULL);
    mount_at("/board/tmp", "tmp", "tmpfs", 0, "mode=1777");
    mount_at("/board/dev", "/dev", NULL, MS_MOVE, NULL);
    mount_at("/board/disk", "/disk", NULL, MS_MOVE, NULL);
    check(chdir("/board"), "/board");
    check(mount(".", "/", NULL, MS_MOVE, NULL), "/");
    check(chroot("."), "chroot");
    check(chdir("/"), "/");
}

static pid_t start(char *const *command) {
    pid_t child = vfork();
    if (child == 0) {
        setsid();
        execv(command[0], command);
        _exit(127);
    }
    check(child, command[0]);
    return child;
}

static void run(char *const *command) {
    pid_t child = start(command);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

// Made at the first start, and kept. A power cut may leave an empty file.
static void set_machine_id(void) {
    const char *path = "/etc/machine-id";
    struct stat status;
    if (stat(path, &status) == 0 && status.st_size > 0) return;
    char uuid[64], identifier[64];
    read_text("/proc/sys/kernel/random/uuid", uuid, sizeof uuid);
    size_t length = 0;
    for (const char *next = uuid; *next; next++)
        if (*next != '-') identifier[length++] = *next;
    identifier[length] = 0;
    int file = write_file(path, identifier);
    check(fsync(file), path);
    close(file);
}

// The host name, bluetoothd's configuration, and what the bus needs.
static void set_up(const char *words) {
    // From here on the kernel's warnings, too, go to the console, where the runner looks.
    write_text("/proc/sys/kernel/printk", "5");
    char role[16] = "host", file[32];
    const char *word = strstr(words, "hil.role=");
    if (word) sscanf(word, "hil.role=%15[a-z]", role);
    check(sethostname(role, strlen(role)), "host name");
    snprintf(file, sizeof file, "%s.conf", role);
    unlink("/etc/bluetooth/main.conf");
    check(symlink(file, "/etc/bluetooth/main.conf"), "/etc/bluetooth/main.conf");
    set_machine_id();
    mkdir("/run/dbus", 0755);
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    check(any, "socket");
    check(ioctl(any, SIOCSIFFLAGS, &loopback), "lo");
    close(any);
}

int main(void) {
    umask(022);
    mount_at("/dev", "dev", "devtmpfs", 0, NULL);
    int console = open("/dev/console", O_RDWR);
    for (int number = 0; number < 3; number++) dup2(console, number);
    if (console > 2) close(console);
    mount_at("/proc", "proc", "proc", 0, NULL);
    mount_at("/image", "/dev/ubda", "erofs", MS_RDONLY, NULL);
    char words[4096];
    read_text("/proc/cmdline", words, sizeof words);
    if (strstr(words, "hil.probe")) {
        // It has no disk of its own.
        puts("hil: this kernel runs");
        fflush(stdout);
        reboot(RB_POWER_OFF);
    }
    mount_root();
    set_up(words);
    clearenv();
    setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
    setenv("HOME", "/", 1);
    setenv("TERM", "linux", 1);

    // A kernel without modules asks for the rules of the countries before there is a file system, in vain. hil-setup of
    // the image says why a country is needed.
    char *reload[] = {"/usr/sbin/iw", "reg", "reload", NULL}, *country[] = {"/usr/sbin/iw", "reg", "set", "DE", NULL};
    run(reload);
    run(country);

    // The radio needs no bus, so that both start side by side. The bus's first process ends once it listens.
    char *bus[] = {"/usr/bin/dbus-daemon", "--system", "--fork", "--nopidfile", NULL};
    char *radio[] = {"/opt/hil/hil-board", "radio", NULL};
    char *agent[] = {"/opt/hil/hil-board", "agent", NULL};
    struct { char **command; pid_t process; } kept[] = {{radio, start(radio)}, {agent, 0}};
    pid_t bus_starter = start(bus);
    for (;;) {
        int status;
        pid_t ended = wait(&status);
        if (ended < 0) check(errno == EINTR ? 0 : -1, "waiting");
        if (ended == bus_starter) kept[1].process = start(agent);
        for (size_t each = 0; each < COUNT(kept); each++) {
            if (ended <= 0 || kept[each].process != ended) continue;
            // As busybox's init does: a program that cannot start must not take the whole processor.
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
            kept[each].process = start(kept[each].command);
        }
    }
}
