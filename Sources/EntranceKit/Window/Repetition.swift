/// What is repeated after a pause, without a person who asks for it.
enum Repetition {
  /// Whether the task is one: it opens no window, which would take the keyboard.
  @TaskLocal static var isByItself = false
}
