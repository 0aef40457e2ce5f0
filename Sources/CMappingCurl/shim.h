// libcurl's headers, and a function for each variadic call of libcurl, which Swift cannot call.
#include <arpa/inet.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#if LIBCURL_VERSION_NUM < 0x075000
#error "libcurl 7.80 or newer is needed"
#endif

static inline CURLcode mk_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode mk_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets bytes, which libcurl copies.
static inline CURLcode mk_curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

static inline CURLcode mk_curl_set_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

// Allow only these schemes.
static inline CURLcode mk_curl_allow_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// A transfer that ends during the lookup of its host does not wait for the lookup; older versions do.
static inline CURLcode mk_curl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    return CURLE_OK;
#endif
}

// The callbacks of a request.
struct mk_curl_callbacks {
    curl_opensocket_callback open;
    curl_closesocket_callback close;
    curl_prereq_callback connected;
    curl_write_callback header, write;
    curl_read_callback read;
    curl_seek_callback seek;
    curl_debug_callback debug;
    curl_xferinfo_callback progress;
};

// Sets the options of every request: the argument of callbacks, the argument of the callback that closes sockets, and a
// message buffer of CURL_ERROR_SIZE bytes.
static inline CURLcode mk_curl_set_up(
    CURL *easy, void *transfer, void *sockets, char *message, struct mk_curl_callbacks callbacks) {
    CURLcode code;
    if ((code = curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, sockets))
        || (code = curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, message))
        || (code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open))
        || (code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callbacks.close))
        || (code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.connected))
        || (code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.header))
        || (code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.write))
        || (code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callbacks.debug))
        || (code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callbacks.progress))
        || (code = mk_curl_allow_http(easy)))
        return code;
    return mk_curl_abandon_lookups(easy);
}

// Sets the options of a request with a body; -1 is an unknown length.
static inline CURLcode mk_curl_set_up_body(
    CURL *easy, void *transfer, struct mk_curl_callbacks callbacks, curl_off_t length) {
    CURLcode code;
    if ((code = curl_easy_setopt(easy, CURLOPT_READDATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_SEEKDATA, transfer))
        || (code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, callbacks.read))
        || (code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callbacks.seek)))
        return code;
    return curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, length);
}

// The file of the authorities that are trusted by default, or NULL.
static inline const char *mk_curl_authorities(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}

// The TLS library of libcurl, such as "OpenSSL/3.0.19"; empty without TLS.
static inline const char *mk_curl_tls_library(void) {
    const char *name = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return name ? name : "";
}

static inline long mk_curl_long(CURL *easy, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

static inline curl_off_t mk_curl_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}

static inline void *mk_curl_private(CURL *easy) {
    char *value = 0;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

static inline CURLMcode mk_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Creates a socket that child processes do not inherit.
static inline curl_socket_t mk_curl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline int mk_curl_close_socket(curl_socket_t socket) {
    return close(socket);
}

// The port of an address, and its host in libcurl's format; -1 for other addresses.
static inline int mk_curl_port(const struct sockaddr_storage *address, char host[INET6_ADDRSTRLEN]) {
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        return inet_ntop(AF_INET, &in->sin_addr, host, INET6_ADDRSTRLEN) ? ntohs(in->sin_port) : -1;
    }
    if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
        return inet_ntop(AF_INET6, &in->sin6_addr, host, INET6_ADDRSTRLEN) ? ntohs(in->sin6_port) : -1;
    }
    return -1;
}

// Whether a socket belongs to a connection; connections to different hosts can share a local port.
static inline int mk_curl_is_connection(curl_socket_t socket, int local_port, const char *host, int port) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    char text[INET6_ADDRSTRLEN];
    if (getsockname(socket, (struct sockaddr *)&address, &size) || mk_curl_port(&address, text) != local_port)
        return 0;
    size = sizeof address;
    return !getpeername(socket, (struct sockaddr *)&address, &size) && mk_curl_port(&address, text) == port
        && !strcmp(text, host);
}

// Whether a connection has no unread bytes and is not closed.
static inline int mk_curl_is_silent(curl_socket_t socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

// SSL_has_pending of libcurl's OpenSSL; the program can contain another OpenSSL, too. NULL if libcurl does not use
// OpenSSL, or is linked statically.
typedef int (*mk_has_pending)(const void *session);

static inline mk_has_pending mk_curl_find_has_pending(void) {
    void *curl = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD);
    return curl ? (mk_has_pending)dlsym(curl, "SSL_has_pending") : NULL;
}

// Whether OpenSSL has unread bytes of a request's connection.
static inline int mk_curl_has_pending(CURL *easy, mk_has_pending has_pending) {
    struct curl_tlssessioninfo *session = NULL;
    return has_pending && curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) == CURLE_OK && session
        && session->backend == CURLSSLBACKEND_OPENSSL && session->internals && has_pending(session->internals);
}

// The milliseconds since the last bytes of a connection; -1 if unknown.
static inline long mk_curl_silence(curl_socket_t socket) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) ? -1 : (long)info.tcpi_last_data_recv;
}

// Sets the name of the calling thread for `ps -L`; at most 15 bytes.
static inline void mk_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// Starts a detached thread that blocks all signals; returns the system's error number, or 0.
static inline int mk_start_thread(size_t stack_size, void *(*run)(void *), void *argument) {
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int code = pthread_attr_init(&attributes);
    if (code) return code;
    pthread_attr_setstacksize(&attributes, stack_size);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    // A thread inherits the signal mask of its creator.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&thread, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return code;
}

// Not declared without GNU's extensions, which modules do not enable.
extern ssize_t preadv2(int descriptor, const struct iovec *parts, int count, off_t offset, int flags);

// Reads bytes of a file that the system has in memory; fails with EAGAIN instead of waiting for others. The flag is
// RWF_NOWAIT (Linux 4.14).
static inline ssize_t mk_read_cached(int descriptor, void *bytes, size_t count, off_t offset) {
    struct iovec part = {bytes, count};
    return preadv2(descriptor, &part, 1, offset, 0x8);
}
