/* A lamp's processor and its radio module, which is a program of its own: they talk by lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *from_module, *to_module;

static void start_module(void)
{
    int events[2], orders[2];
    if (pipe(events) || pipe(orders)) exit(1);
    if (fork() == 0) {
        dup2(orders[0], 0);
        dup2(events[1], 1);
        close(orders[1]);
        execlp("python3", "python3", "../../Shared/Firmware/module.py", (char *)0);
        _exit(1);
    }
    close(orders[0]);
    close(events[1]);
    from_module = fdopen(events[0], "r");
    to_module = fdopen(orders[1], "w");
    setvbuf(to_module, 0, _IOLBF, 0);
    setvbuf(stdout, 0, _IOLBF, 0);
}

/* The next event, without its end of line; 0 if the module has ended. */
static char *next_event(void)
{
    static char line[512];
    if (!fgets(line, sizeof line, from_module)) return 0;
    line[strcspn(line, "\n")] = 0;
    return line;
}

/* The rest of a line that begins with a word; 0 if it begins with another. */
static char *after(char *line, const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) ? 0 : line + length;
}
