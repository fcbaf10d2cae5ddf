/* Counts the calls that change what lies below FAIL_BELOW, over all processes, and lets the call number FAIL_AT fail
   with the error number FAIL_WITH; with FAIL_ON every later call as well. The number of calls stands in FAIL_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic long *count;
static const char *below;
static long fail_at, fail_on;
static int fail_with;

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAIL_COUNT");
    below = getenv("FAIL_BELOW");
    if (!file || !below) { below = NULL; return; }
    fail_at = atol(getenv("FAIL_AT"));
    fail_with = atoi(getenv("FAIL_WITH"));
    fail_on = atol(getenv("FAIL_ON"));
    int fd = open(file, O_RDWR | O_CLOEXEC);
    void *page = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) abort();
    close(fd);
    count = page;
}

static int starts_below(const char *path) {
    size_t length = strlen(below);
    return strncmp(path, below, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_fd_below(int fd) {
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof link, fd == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return starts_below(path);
}

static int is_path_below(int folder, const char *path) {
    return path && path[0] == '/' ? starts_below(path) : is_fd_below(folder);
}

static int fails(int concerned) {
    if (!count || !concerned) return 0;
    long number = atomic_fetch_add(count, 1) + 1;
    if (number != fail_at && !(fail_on && fail_at && number > fail_at)) return 0;
    errno = fail_with;
    return 1;
}

#define REAL(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))
#define BY_FD(result, name, parameters, arguments) \
    result name parameters { return below && fails(is_fd_below(fd)) ? -1 : REAL(name) arguments; }
#define BY_PATH(result, name, parameters, arguments, folder, path) \
    result name parameters { return below && fails(is_path_below(folder, path)) ? -1 : REAL(name) arguments; }

BY_FD(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
BY_FD(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
BY_FD(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
BY_FD(ssize_t, writev, (int fd, const struct iovec *parts, int number), (fd, parts, number))
BY_FD(int, fsync, (int fd), (fd))
BY_FD(int, fdatasync, (int fd), (fd))
BY_FD(int, sync_file_range, (int fd, off64_t from, off64_t size, unsigned flags), (fd, from, size, flags))
BY_FD(int, ftruncate, (int fd, off_t size), (fd, size))
BY_FD(int, ftruncate64, (int fd, off64_t size), (fd, size))
BY_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path)
BY_PATH(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), fd, path)
BY_PATH(int, unlink, (const char *path), (path), AT_FDCWD, path)
BY_PATH(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), fd, path)
BY_PATH(int, rename, (const char *old, const char *new), (old, new), AT_FDCWD, new)
BY_PATH(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new), to, new)
BY_PATH(int, renameat2, (int from, const char *old, int to, const char *new, unsigned flags),
        (from, old, to, new, flags), to, new)
BY_PATH(int, link, (const char *old, const char *new), (old, new), AT_FDCWD, new)
BY_PATH(int, linkat, (int from, const char *old, int to, const char *new, int flags), (from, old, to, new, flags), to,
        new)

#define OPENING(name, parameters, before, folder)                                            \
    int name parameters {                                                                    \
        va_list rest;                                                                        \
        va_start(rest, flags);                                                               \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;              \
        va_end(rest);                                                                        \
        if (below && flags & (O_CREAT | O_TRUNC) && fails(is_path_below(folder, path))) return -1; \
        return REAL(name) before;                                                            \
    }
OPENING(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPENING(openat, (int fd, const char *path, int flags, ...), (fd, path, flags, mode), fd)
OPENING(openat64, (int fd, const char *path, int flags, ...), (fd, path, flags, mode), fd)
