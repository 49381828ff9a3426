/* Answers every request on the loopback interface with the same bytes, by one thread: prints its port, takes the answer from the file it is given.
   Made for benchmarks alone: a request is what ends with an empty line, and has no body. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_connections = 4096, most_answer = 65536, most_read = 16384 };

static char answer[most_answer];
static size_t answer_size;
/* How much of the end of a request each connection has shown. */
static unsigned char seen[most_connections];

static void serve(int connection) {
  char buffer[most_read];
  ssize_t size;
  while ((size = read(connection, buffer, sizeof buffer)) > 0) {
    for (ssize_t at = 0; at < size; at += 1) {
      const char expected = seen[connection] % 2 == 0 ? '\r' : '\n';
      seen[connection] = buffer[at] == expected ? seen[connection] + 1 : buffer[at] == '\r';
      if (seen[connection] < 4) continue;
      seen[connection] = 0;
      /* An answer fits into the buffer of a socket whose last answer was taken. */
      if (write(connection, answer, answer_size) < 0) break;
    }
  }
  if (size == 0 || (errno != EAGAIN && errno != EINTR)) close(connection);
}

int main(int count, char **arguments) {
  FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) return 2;
  answer_size = fread(answer, 1, sizeof answer, file);
  fclose(file);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 1024) < 0) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  const int queue = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event);
  struct epoll_event events[256];
  for (;;) {
    const int ready = epoll_wait(queue, events, 256, -1);
    for (int index = 0; index < ready; index += 1) {
      if (events[index].data.fd != listener) {
        serve(events[index].data.fd);
        continue;
      }
      const int connection = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
      if (connection < 0) continue;
      if (connection >= most_connections) {
        close(connection);
        continue;
      }
      const int yes = 1;
      setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      seen[connection] = 0;
      event = (struct epoll_event){.events = EPOLLIN, .data.fd = connection};
      epoll_ctl(queue, EPOLL_CTL_ADD, connection, &event);
    }
  }
}
