/* quiet_fork.c: part of Criterion's programs that are built with the address sanitizer. Criterion
 * forks for each test while a thread of its own handles the end of the last one. If that thread
 * allocates at that moment, the lock of the sanitizer's allocator (gcc 12) stays locked in the
 * child, which then waits for ever. So a fork waits until all other threads sleep, at most for
 * PATIENCE times PAUSE microseconds, since tests may fork beside threads that never sleep. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 100, PAUSE = 100 };

/* /proc/self/task/ID/stat: "ID (NAME) STATE ..." */
static bool is_asleep(const char *id)
{
    char path[64], text[128] = "";
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", id);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    const char *name_end = size > 0 ? strrchr(text, ')') : NULL;
    return !name_end || name_end[1] != ' ' || strchr("RD", name_end[2]) == NULL;
}

static bool are_others_asleep(void)
{
    char self[24];
    bool answer = true;
    DIR *tasks = opendir("/proc/self/task");
    snprintf(self, sizeof self, "%ld", (long)gettid());
    for (struct dirent *task; tasks && answer && (task = readdir(tasks));)
        answer = task->d_name[0] == '.' || !strcmp(task->d_name, self) || is_asleep(task->d_name);
    if (tasks)
        closedir(tasks);
    return answer;
}

static void wait_for_others(void)
{
    for (int i = 0; i < PATIENCE && !are_others_asleep(); i++)
        usleep(PAUSE);
}

__attribute__((constructor)) static void install(void)
{
    pthread_atfork(wait_for_others, NULL, NULL);
}
