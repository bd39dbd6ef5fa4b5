// GNU libmicrohttpd. Swift does not import variadic functions: a wrapper for each one in use.
#pragma once
#include <microhttpd.h>
#include <netinet/in.h>

// Starts an HTTPS server on `address`, with its own thread.
static inline struct MHD_Daemon *entrance_start_daemon(
    const struct sockaddr_in *address, const char *certificate, const char *key,
    const char *priorities, size_t memory,
    void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_AccessHandlerCallback proceed, MHD_RequestCompletedCallback end, void *context) {
  return MHD_start_daemon(
      MHD_USE_TLS | MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, proceed,
      context, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_HTTPS_MEM_CERT, certificate,
      MHD_OPTION_HTTPS_MEM_KEY, key, MHD_OPTION_HTTPS_PRIORITIES, priorities,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_END);
}

// The port of a server; 0 when it is unknown.
static inline uint16_t entrance_daemon_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}
