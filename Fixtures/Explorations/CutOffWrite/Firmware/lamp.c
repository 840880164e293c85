/* A lamp that takes a scene: a text that is written in parts, and ends with a semicolon. */
#include "module.h"

struct transfer {
    size_t length;
    char text[256];
};

static struct transfer *current;

static void take(const char *part)
{
    if (!current) current = calloc(1, sizeof *current);
    strncat(current->text, part, sizeof current->text - current->length - 1);
    current->length = strlen(current->text);
    if (!strchr(part, ';')) return;
    fprintf(to_module, "%zu bytes\n", current->length);
    free(current);
    current = 0;
}

static void cut_off(int is_faulty)
{
    struct transfer *old = current;
    if (!old) return;
    current = 0;
    /* A faulty lamp reports the transfer that it has just let go of. */
    printf("cut off after %zu bytes\n", is_faulty ? current->length : old->length);
    free(old);
}

int main(int count, char **arguments)
{
    int is_faulty = count > 1 && strcmp(arguments[1], "faulty") == 0;
    char *event, *part;
    start_module();
    while ((event = next_event())) {
        puts(event);
        if ((part = after(event, "wrote "))) take(part);
        if (after(event, "disconnected")) cut_off(is_faulty);
    }
    return 1;
}
