// This target has no code. It holds the privacy manifest of the package for Apple platforms.
