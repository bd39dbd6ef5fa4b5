/* A Microsoft Graph that answers at once, so that the time of a request is the client's: a profile, 10,000 users in
 * pages of 100, a file of a gigabyte to download, upload sessions that forget what they get, batches, answers of many
 * megabytes whose first line can be recognized on the screen, and lists of many pages.
 *
 * It listens on a free port of localhost until its standard input closes, and prints the port.
 *
 * usage: graph-server CERTIFICATE KEY
 */
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USERS 10000
#define PAGE 100
#define FILE_SIZE (1ULL << 30)

static char me[] =
    "{\"@odata.context\":\"https://graph.microsoft.com/v1.0/$metadata#users/$entity\",\"businessPhones\":[],"
    "\"displayName\":\"Adele Vance\",\"givenName\":\"Adele\",\"jobTitle\":null,\"mail\":\"adele@contoso.example\","
    "\"mobilePhone\":null,\"officeLocation\":null,\"preferredLanguage\":\"en-US\",\"surname\":\"Vance\","
    "\"userPrincipalName\":\"adele@contoso.example\",\"id\":\"00000000-0000-0000-0000-000000000001\"}";
static char *pages[USERS / PAGE];
static unsigned port;
static char block[1 << 16];

/* What is known of a request: the bytes of its body so far, and its beginning. */
struct request {
  unsigned long long size;
  char *text;
};

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, char *text,
                              enum MHD_ResponseMemoryMode mode) {
  struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text, mode);
  MHD_add_response_header(response, "Content-Type", "application/json");
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static ssize_t read_file(void *context, uint64_t position, char *buffer, size_t size) {
  (void)context;
  uint64_t rest = FILE_SIZE - position;
  if (rest == 0) return MHD_CONTENT_READER_END_OF_STREAM;
  if (size > rest) size = rest;
  if (size > sizeof block) size = sizeof block;
  memcpy(buffer, block, size);
  return size;
}

/* A response for each "id" of a batch, in its order. */
static enum MHD_Result answer_batch(struct MHD_Connection *connection, const char *text) {
  char *body = malloc(1 << 16), *end = body;
  end += sprintf(end, "{\"responses\":[");
  for (const char *id = text; (id = strstr(id, "\"id\":\"")); ) {
    id += 6;
    int length = strcspn(id, "\"");
    end += sprintf(end, "%s{\"id\":\"%.*s\",\"status\":200,\"headers\":{\"Content-Type\":\"application/json\"},\"body\":%s}",
                   end[-1] == '[' ? "" : ",", length, id, me);
  }
  sprintf(end, "]}");
  return answer(connection, 200, body, MHD_RESPMEM_MUST_FREE);
}

/* A block on the screen, which no other text is as dark as. */
#define TEN "\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588"
static const char mark[] = "{\n  \"mark\": \"" TEN TEN TEN TEN TEN "\"";

/* A list of users of so many megabytes, with one line for each member, as a program would show it to people. */
static char *large(unsigned megabytes) {
  static char *made[101];
  if (megabytes >= sizeof made / sizeof *made) return NULL;
  size_t size = (size_t)megabytes * 1000000;
  if (made[megabytes]) return made[megabytes];
  char *text = made[megabytes] = malloc(size + 1000), *end = text + sprintf(text, "%s,\n  \"value\": [", mark);
  for (unsigned number = 0; end < text + size; number++)
    end += sprintf(end,
                   "%s\n    {\n      \"displayName\": \"User %u\",\n      \"jobTitle\": \"Engineer\",\n"
                   "      \"mail\": \"user%u@contoso.example\",\n      \"preferredLanguage\": null,\n"
                   "      \"id\": \"00000000-0000-0000-0000-%012u\"\n    }",
                   number ? "," : "", number, number, number);
  strcpy(end, "\n  ]\n}");
  return text;
}

/* The last of so many pages, each of which has one item and the number of those after it. The first has the block. */
static enum MHD_Result answer_page(struct MHD_Connection *connection, const char *first, const char *rest) {
  char body[sizeof mark + 200], *end = body;
  end += first ? sprintf(end, "%s", mark) : sprintf(end, "{\n  \"mark\": null");
  int number = atoi(first ? first : rest);
  if (number > 1)
    end += sprintf(end, ",\n  \"@odata.nextLink\": \"https://localhost:%u/v1.0/pages?$skiptoken=%d\"", port, number - 1);
  sprintf(end, ",\n  \"value\": [{\"id\": %d}]\n}", number);
  return answer(connection, 200, body, MHD_RESPMEM_MUST_COPY);
}

/* The lines of so many events, after the block. */
static char *event_lines(int count) {
  static char *made;
  if (made) return made;
  char *text = made = malloc(sizeof mark + count * 64), *end = text + sprintf(text, "%s\n", mark);
  for (int number = 0; number < count; number++)
    end += sprintf(end, "12:00:00 Request GET https://localhost:%u/v1.0/pages\n", port);
  return text;
}

/* An answer with the block, after one without it, so that each time another one is to be seen. */
static enum MHD_Result answer_in_turn(struct MHD_Connection *connection) {
  static int count;
  char body[sizeof mark + 20];
  sprintf(body, "%s\n}", count++ % 2 ? mark : "{\n  \"mark\": null");
  return answer(connection, 200, body, MHD_RESPMEM_MUST_COPY);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
  (void)context, (void)version;
  struct request *request = *state;
  if (!request) {
    *state = request = calloc(1, sizeof *request);
    return MHD_YES;
  }
  if (*size) {
    if (strstr(path, "$batch")) {
      request->text = realloc(request->text, request->size + *size + 1);
      memcpy(request->text + request->size, data, *size);
      request->text[request->size + *size] = 0;
    }
    request->size += *size;
    *size = 0;
    return MHD_YES;
  }
  if (strstr(path, "$batch")) return answer_batch(connection, request->text ? request->text : "");
  if (!strcmp(path, "/v1.0/me")) return answer(connection, 200, me, MHD_RESPMEM_PERSISTENT);
  if (!strcmp(path, "/v1.0/in-turn")) return answer_in_turn(connection);
  if (!strncmp(path, "/v1.0/large/", 12)) {
    char *text = large(atoi(path + 12));
    if (text) return answer(connection, 200, text, MHD_RESPMEM_PERSISTENT);
  }
  if (!strcmp(path, "/v1.0/pages")) {
    const char *first = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "$top");
    const char *rest = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "$skiptoken");
    if (first || rest) return answer_page(connection, first, rest);
  }
  if (!strncmp(path, "/v1.0/lines/", 12))
    return answer(connection, 200, event_lines(atoi(path + 12)), MHD_RESPMEM_PERSISTENT);
  if (!strcmp(path, "/v1.0/users")) {
    const char *page = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "$skiptoken");
    unsigned number = page ? (unsigned)atoi(page) : 0;
    if (number < USERS / PAGE) return answer(connection, 200, pages[number], MHD_RESPMEM_PERSISTENT);
  }
  if (strstr(path, "createUploadSession")) {
    char *body = malloc(200);
    sprintf(body, "{\"uploadUrl\":\"https://localhost:%u/upload\",\"expirationDateTime\":\"2099-01-01T00:00:00Z\"}", port);
    return answer(connection, 200, body, MHD_RESPMEM_MUST_FREE);
  }
  if (!strcmp(path, "/upload") && !strcmp(method, "PUT")) {
    const char *range = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Range");
    unsigned long long first = 0, last = FILE_SIZE - 1, total = FILE_SIZE;
    if (range) sscanf(range, "bytes %llu-%llu/%llu", &first, &last, &total);
    if (request->size != last - first + 1) return answer(connection, 400, me, MHD_RESPMEM_PERSISTENT);
    if (last + 1 == total) return answer(connection, 201, me, MHD_RESPMEM_PERSISTENT);
    char *body = malloc(200);
    sprintf(body, "{\"nextExpectedRanges\":[\"%llu-\"]}", last + 1);
    return answer(connection, 202, body, MHD_RESPMEM_MUST_FREE);
  }
  if (strstr(path, "/content")) {
    struct MHD_Response *response =
        MHD_create_response_from_callback(FILE_SIZE, sizeof block, read_file, NULL, NULL);
    MHD_add_response_header(response, "Content-Type", "application/octet-stream");
    enum MHD_Result result = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return result;
  }
  return answer(connection, 404, "{\"error\":{\"code\":\"itemNotFound\",\"message\":\"\"}}", MHD_RESPMEM_MUST_COPY);
}

static void forget(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection, (void)code;
  struct request *request = *state;
  if (request) free(request->text);
  free(request);
}

static void make_pages(void) {
  for (int page = 0; page < USERS / PAGE; page++) {
    char *text = pages[page] = malloc(PAGE * 400 + 400), *end = text;
    end += sprintf(end, "{\"@odata.context\":\"https://graph.microsoft.com/v1.0/$metadata#users\",");
    if (page + 1 < USERS / PAGE)
      end += sprintf(end, "\"@odata.nextLink\":\"https://localhost:%u/v1.0/users?$skiptoken=%d\",", port, page + 1);
    end += sprintf(end, "\"value\":[");
    for (int number = page * PAGE; number < (page + 1) * PAGE; number++)
      end += sprintf(end,
                     "%s{\"businessPhones\":[],\"displayName\":\"User %d\",\"givenName\":\"User\",\"jobTitle\":\"Engineer\","
                     "\"mail\":\"user%d@contoso.example\",\"mobilePhone\":null,\"officeLocation\":\"1/%d\","
                     "\"preferredLanguage\":null,\"surname\":\"%d\",\"userPrincipalName\":\"user%d@contoso.example\","
                     "\"id\":\"00000000-0000-0000-0000-%012d\"}",
                     number % PAGE ? "," : "", number, number, number % 99, number, number, number);
    sprintf(end, "]}");
  }
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 1 << 14);
  if (!file || !fread(text, 1, (1 << 14) - 1, file)) exit(1);
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: graph-server CERTIFICATE KEY\n"), 2;
  memset(block, 'x', sizeof block);
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TLS, 0, NULL, NULL, handle, NULL, MHD_OPTION_HTTPS_MEM_CERT,
      read_all(argv[1]), MHD_OPTION_HTTPS_MEM_KEY, read_all(argv[2]), MHD_OPTION_NOTIFY_COMPLETED, forget, NULL,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(256 << 10), MHD_OPTION_END);
  if (!daemon) return 1;
  port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  make_pages();
  printf("%u\n", port);
  fflush(stdout);
  while (getchar() != EOF) continue;
  MHD_stop_daemon(daemon);
  return 0;
}
