/// What a decode tells while it runs, for an explanation.
final class Trace {
}
