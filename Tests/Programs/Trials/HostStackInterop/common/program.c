#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static void fail_usage(const char *program) {
    fprintf(stderr, "usage: %s PLACE peripheral|central --io none|display|keyboard|yesno [--legacy] [--oob]\n", program);
    exit(64);
}

struct options read_options(int count, char *const words[]) {
    static const char *const names[] = {"none", "display", "keyboard", "yesno"};
    struct options options = {0};
    bool has_io = false;
    if (count < 5) {
        fail_usage(words[0]);
    }
    options.place = words[1];
    options.is_central = strcmp(words[2], "central") == 0;
    if (!options.is_central && strcmp(words[2], "peripheral") != 0) {
        fail_usage(words[0]);
    }
    for (int i = 3; i < count; i++) {
        if (strcmp(words[i], "--legacy") == 0) {
            options.is_legacy = true;
        } else if (strcmp(words[i], "--oob") == 0) {
            options.has_oob = true;
        } else if (strcmp(words[i], "--io") == 0 && i + 1 < count) {
            i++;
            for (size_t name = 0; name < 4; name++) {
                if (strcmp(words[i], names[name]) == 0) {
                    options.io = (enum capability)name;
                    has_io = true;
                }
            }
        } else {
            fail_usage(words[0]);
        }
    }
    if (!has_io) {
        fail_usage(words[0]);
    }
    return options;
}

void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    flockfile(stdout);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    funlockfile(stdout);
    va_end(arguments);
}

void say_bytes(const char *word, uint16_t uuid, const uint8_t *bytes, size_t length) {
    char text[2 * 512 + 1] = "";
    for (size_t i = 0; i < length && i < 512; i++) {
        snprintf(text + 2 * i, 3, "%02X", bytes[i]);
    }
    if (uuid == 0) {
        say("%s %s", word, text);
    } else {
        say("%s %04X %s", word, uuid, text);
    }
}

size_t read_bytes(const char *text, uint8_t *bytes, size_t room) {
    size_t count = 0;
    unsigned byte;
    while (count < room && sscanf(text + 2 * count, "%2x", &byte) == 1) {
        bytes[count++] = (uint8_t)byte;
        if (strlen(text) <= 2 * count) {
            break;
        }
    }
    return count;
}

const uint8_t *long_value(void) {
    static uint8_t value[LONG_LENGTH];
    for (size_t i = 0; i < LONG_LENGTH; i++) {
        value[i] = (uint8_t)(3 * i);
    }
    return value;
}

uint32_t random_passkey(void) {
    uint32_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
        perror("getrandom");
        exit(1);
    }
    return number % 1000000;
}

struct command read_command(const char *line) {
    struct command command = {0};
    const bool has_uuid = strncmp(line, "read ", 5) == 0 || strncmp(line, "write ", 6) == 0 ||
                          strncmp(line, "subscribe ", 10) == 0;
    unsigned uuid = 0;
    if (has_uuid) {
        sscanf(line, "%15s %x %63s", command.word, &uuid, command.rest);
    } else {
        sscanf(line, "%15s %63s", command.word, command.rest);
    }
    command.uuid = (uint16_t)uuid;
    return command;
}
