/// SHA-256 (FIPS 180-4).
package enum SHA256 {}
