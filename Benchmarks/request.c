/* Sends the same request many times over one connection, by libcurl's easy interface: the measure for what
 * CurlHTTP may take for it. It prints the microseconds of a request as JSON.
 *
 * usage: request URL CA_FILE COUNT
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct body {
  char *bytes;
  size_t size;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  struct body *body = context;
  char *grown = realloc(body->bytes, body->size + size * count);
  if (!grown) return 0;
  memcpy(grown + body->size, bytes, size * count);
  body->bytes = grown;
  body->size += size * count;
  return size * count;
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static int send_one(CURL *curl) {
  struct body body = {0};
  long status = 0;
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  CURLcode code = curl_easy_perform(curl);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  free(body.bytes);
  if (code == CURLE_OK && status == 200) return 1;
  fprintf(stderr, "%s, status %ld\n", curl_easy_strerror(code), status);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: request URL CA_FILE COUNT\n"), 2;
  int count = atoi(argv[3]);
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURL *curl = curl_easy_init();
  if (!curl) return 1;
  curl_easy_setopt(curl, CURLOPT_URL, argv[1]);
  curl_easy_setopt(curl, CURLOPT_CAINFO, argv[2]);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  /* The first one makes the connection. */
  if (!send_one(curl)) return 1;
  double start = now_us();
  for (int number = 0; number < count; number++)
    if (!send_one(curl)) return 1;
  printf("{\"request\": %.2f}\n", (now_us() - start) / count);
  curl_easy_cleanup(curl);
  return 0;
}
