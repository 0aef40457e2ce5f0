// libcurl's headers, and the calls with a variable number of arguments, which Swift cannot make, one for each type.
#include <curl/curl.h>
#include <sys/prctl.h>

#if LIBCURL_VERSION_NUM < 0x075000
#error "libcurl 7.80 or newer is needed"
#endif

static inline CURLcode mk_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode mk_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode mk_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode mk_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode mk_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode mk_curl_set_write(CURL *easy, CURLoption option, curl_write_callback function) {
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode mk_curl_set_read(CURL *easy, curl_read_callback function) {
    return curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
}

static inline CURLcode mk_curl_set_seek(CURL *easy, curl_seek_callback function) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode mk_curl_set_progress(CURL *easy, curl_xferinfo_callback function) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

static inline CURLcode mk_curl_set_prerequest(CURL *easy, curl_prereq_callback function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode mk_curl_set_debug(CURL *easy, curl_debug_callback function) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

// No other schemes than these.
static inline CURLcode mk_curl_allow_http(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// A transfer that ends while its host's name is looked up does not wait for the look-up's end; older versions do.
static inline CURLcode mk_curl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    return CURLE_OK;
#endif
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

static inline curl_socket_t mk_curl_socket(CURL *easy, CURLINFO info) {
    curl_socket_t value = CURL_SOCKET_BAD;
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

// The name of the calling thread, as `ps -L` shows it; at most 15 bytes.
static inline void mk_curl_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
