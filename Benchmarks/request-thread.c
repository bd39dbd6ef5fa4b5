/* Sends the same request many times over one connection, by libcurl on a thread of its own, which is how a program
 * sends requests that must not block: a new handle for each request, one multi handle, and a caller that waits. It
 * prints the microseconds of a request as JSON.
 *
 * usage: request-thread URL CA_FILE COUNT [HEADER_FIELD...]
 */
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct body {
  char *bytes;
  size_t size;
  struct curl_slist *fields;
};

static const char *url, *ca_file;
static char **fields;
static CURLM *multi;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
/* Under the lock. */
static int is_wanted, is_answered;

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  struct body *body = context;
  char *grown = realloc(body->bytes, body->size + size * count);
  if (!grown) return 0;
  memcpy(grown + body->size, bytes, size * count);
  body->bytes = grown;
  body->size += size * count;
  return size * count;
}

static void begin(struct body *body) {
  CURL *curl = curl_easy_init();
  if (!curl) exit(1);
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
  for (char **field = fields; *field; field++) body->fields = curl_slist_append(body->fields, *field);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, body->fields);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
  curl_multi_add_handle(multi, curl);
}

static void finish(CURLMsg *message, struct body *body) {
  CURL *curl = message->easy_handle;
  CURLcode code = message->data.result;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (code != CURLE_OK || status != 200) {
    fprintf(stderr, "%s, status %ld\n", curl_easy_strerror(code), status);
    exit(1);
  }
  pthread_mutex_lock(&lock);
  is_answered = 1;
  pthread_cond_signal(&answered);
  pthread_mutex_unlock(&lock);
  curl_multi_remove_handle(multi, curl);
  curl_easy_cleanup(curl);
  curl_slist_free_all(body->fields);
  free(body->bytes);
  *body = (struct body){0};
}

static void *run(void *unused) {
  struct body body = {0};
  for (;;) {
    pthread_mutex_lock(&lock);
    int must_begin = is_wanted;
    is_wanted = 0;
    pthread_mutex_unlock(&lock);
    if (must_begin) begin(&body);
    int number;
    curl_multi_perform(multi, &number);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &number)))
      if (message->msg == CURLMSG_DONE) finish(message, &body);
    curl_multi_poll(multi, NULL, 0, 60000, NULL);
  }
  return unused;
}

static void send_one(void) {
  pthread_mutex_lock(&lock);
  is_wanted = 1;
  is_answered = 0;
  curl_multi_wakeup(multi);
  while (!is_answered) pthread_cond_wait(&answered, &lock);
  pthread_mutex_unlock(&lock);
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: request-thread URL CA_FILE COUNT [HEADER_FIELD...]\n"), 2;
  url = argv[1];
  ca_file = argv[2];
  fields = argv + 4;
  int count = atoi(argv[3]);
  pthread_t thread;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  multi = curl_multi_init();
  if (!multi || pthread_create(&thread, NULL, run, NULL)) return 1;
  /* The first one makes the connection. */
  send_one();
  double start = now_us();
  for (int number = 0; number < count; number++) send_one();
  printf("{\"request\": %.2f}\n", (now_us() - start) / count);
  return 0;
}
