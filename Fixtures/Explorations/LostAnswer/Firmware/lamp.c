/* A lamp that has one owner. The command `claim KEY` is written in parts, and ends with a semicolon. */
#include "module.h"

static char owner[64];

static const char *claim(const char *key, int is_faulty)
{
    if (!owner[0]) {
        snprintf(owner, sizeof owner, "%s", key);
        return "claimed";
    }
    /* A faulty lamp refuses its owner, too. */
    return !is_faulty && strcmp(owner, key) == 0 ? "claimed" : "already claimed";
}

int main(int count, char **arguments)
{
    int is_faulty = count > 1 && strcmp(arguments[1], "faulty") == 0;
    char command[256] = "", *event, *part;
    start_module();
    while ((event = next_event())) {
        puts(event);
        if ((part = after(event, "wrote "))) {
            char *end;
            strncat(command, part, sizeof command - strlen(command) - 1);
            if (!(end = strchr(command, ';'))) continue;
            *end = 0;
            if (after(command, "claim ")) fprintf(to_module, "%s\n", claim(command + 6, is_faulty));
            command[0] = 0;
        } else if (after(event, "disconnected")) {
            command[0] = 0;
        }
    }
    return 1;
}
