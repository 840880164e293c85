/* The page of a lamp: it answers each request on TCP port 80 with one line.

       page weak|hardened

   The weak one copies the path into its buffer, however long it is. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATH = 64, TEXT = 4096 };

struct request {
    char path[PATH];
    void (*answer)(int client, const char *path);
};

static void say(int client, const char *text) { send(client, text, strlen(text), MSG_NOSIGNAL); }

static void answer(int client, const char *path)
{
    say(client, strcmp(path, "/") ? "HTTP/1.0 404 Not Found\r\n\r\n" : "HTTP/1.0 200 OK\r\n\r\non\n");
}

/* The path of a request: what is between its first two blanks. */
static int read_path(struct request *request, const char *text, int is_weak)
{
    const char *start = strchr(text, ' ');
    const char *end = start ? strchr(start + 1, ' ') : 0;
    if (!end) return 0;
    size_t length = end - start - 1;
    if (length >= PATH && !is_weak) return 0;
    memcpy(request->path, start + 1, length);
    request->path[length] = 0;
    return 1;
}

static void serve(int client, int is_weak)
{
    char text[TEXT + 1];
    struct request request = {.answer = answer};
    ssize_t length = recv(client, text, TEXT, 0);
    if (length > 0) {
        text[length] = 0;
        if (read_path(&request, text, is_weak)) request.answer(client, request.path);
        else say(client, "HTTP/1.0 400 Bad Request\r\n\r\n");
    }
    close(client);
}

int main(int count, char **words)
{
    int is_weak = count > 1 && !strcmp(words[1], "weak"), yes = 1;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(80)};
    struct timeval limit = {.tv_sec = 1};
    int port = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(port, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(port, (struct sockaddr *)&place, sizeof place) || listen(port, 8)) return perror("port 80"), 1;
    puts("the page is there");
    fflush(stdout);
    for (;;) {
        int client = accept(port, 0, 0);
        if (client < 0) continue;
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        serve(client, is_weak);
    }
}
