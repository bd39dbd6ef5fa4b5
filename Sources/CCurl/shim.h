// libcurl's types, and a table of its functions that is filled at run time.
//
// Loading the library, with the thirty that it needs, takes as long as everything else that a new
// process does for a cached token. So no program is linked with it: the headers provide the types,
// and `dlopen` the functions when there is a request to send.
#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

// The functions in use, without `curl_`.
#define ENTRANCE_CURL_FUNCTIONS(X)                                                                 \
  X(easy_cleanup)                                                                                  \
  X(easy_getinfo)                                                                                  \
  X(easy_init)                                                                                     \
  X(easy_pause)                                                                                    \
  X(easy_setopt)                                                                                   \
  X(global_init)                                                                                   \
  X(multi_add_handle)                                                                              \
  X(multi_cleanup)                                                                                 \
  X(multi_info_read)                                                                               \
  X(multi_init)                                                                                    \
  X(multi_perform)                                                                                 \
  X(multi_poll)                                                                                    \
  X(multi_remove_handle)                                                                           \
  X(multi_wakeup)                                                                                  \
  X(slist_append)                                                                                  \
  X(slist_free_all)                                                                                \
  X(version_info)

// The functions, with the types from the library's headers.
typedef struct {
#define ENTRANCE_CURL_FIELD(name) __typeof__(&curl_##name) name;
  ENTRANCE_CURL_FUNCTIONS(ENTRANCE_CURL_FIELD)
#undef ENTRANCE_CURL_FIELD
  // Whether all of the above were found.
  int is_complete;
} EntranceCurl;

// When libcurl uses OpenSSL: keeps it from freeing its tables when the process ends. Otherwise, a
// thread of ours that ends at the same time frees its part of them too, and the process crashes.
static inline void entrance_keep_openssl_tables(void *library) {
  // From <openssl/crypto.h>, which need not be installed: OPENSSL_INIT_NO_ATEXIT.
  const uint64_t no_atexit = 0x00080000;
  int (*initialize)(uint64_t, const void *);
  *(void **)&initialize = dlsym(library, "OPENSSL_init_crypto");
  if (initialize) initialize(no_atexit, NULL);
}

static inline EntranceCurl entrance_curl_load(void) {
  EntranceCurl curl = {.is_complete = 1};
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library) entrance_keep_openssl_tables(library);
#define ENTRANCE_CURL_LOOK_UP(function)                                                            \
  *(void **)&curl.function = library ? dlsym(library, "curl_" #function) : NULL;                   \
  if (!curl.function) curl.is_complete = 0;
  ENTRANCE_CURL_FUNCTIONS(ENTRANCE_CURL_LOOK_UP)
#undef ENTRANCE_CURL_LOOK_UP
  return curl;
}

// Swift does not import variadic functions: a typed setter for each kind of option in use.

static inline CURLcode entrance_easy_set_long(EntranceCurl curl, CURL *easy, CURLoption option,
                                              long value) {
  return curl.easy_setopt(easy, option, value);
}

static inline CURLcode entrance_easy_set_string(EntranceCurl curl, CURL *easy, CURLoption option,
                                                const char *value) {
  return curl.easy_setopt(easy, option, value);
}

static inline CURLcode entrance_easy_set_pointer(EntranceCurl curl, CURL *easy, CURLoption option,
                                                 const void *value) {
  return curl.easy_setopt(easy, option, value);
}

static inline CURLcode entrance_easy_set_blob(EntranceCurl curl, CURL *easy, CURLoption option,
                                              const void *bytes, size_t length) {
  struct curl_blob blob = {.data = (void *)bytes, .len = length, .flags = CURL_BLOB_COPY};
  return curl.easy_setopt(easy, option, &blob);
}

static inline CURLcode entrance_easy_set_callback(EntranceCurl curl, CURL *easy, CURLoption option,
                                                  curl_write_callback callback) {
  return curl.easy_setopt(easy, option, callback);
}

static inline CURLcode entrance_easy_set_read(EntranceCurl curl, CURL *easy,
                                              curl_read_callback callback) {
  return curl.easy_setopt(easy, CURLOPT_READFUNCTION, callback);
}

static inline CURLcode entrance_easy_set_seek(EntranceCurl curl, CURL *easy,
                                              curl_seek_callback callback) {
  return curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

static inline CURLcode entrance_easy_get_long(EntranceCurl curl, CURL *easy, CURLINFO info,
                                              long *value) {
  return curl.easy_getinfo(easy, info, value);
}
