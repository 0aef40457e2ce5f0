/// The transport of clients that are given none: libcurl on Linux, URLSession on Apple platforms.
package let defaultTransport: any Transport = CurlTransport.shared
