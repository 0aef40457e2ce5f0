#include <zlib.h>

// Inflates from one buffer to another, whose rests are in the stream afterwards; zlib only reads from the first.
static inline int mk_inflate(z_stream *stream, const void *in, unsigned available, void *out, unsigned room) {
    stream->next_in = (unsigned char *)in;
    stream->avail_in = available;
    stream->next_out = (unsigned char *)out;
    stream->avail_out = room;
    return inflate(stream, Z_NO_FLUSH);
}
