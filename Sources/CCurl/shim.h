#pragma once
#include <curl/curl.h>

// Swift does not import variadic functions: one typed setter for each kind of option in use.

static inline CURLcode entrance_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode entrance_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode entrance_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode entrance_easy_set_callback(CURL *easy, CURLoption option,
                                                  curl_write_callback callback) {
  return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode entrance_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
