import CGtk

/// A question with a few answers.
@MainActor
public final class MessageDialog: Window {
  override class var type: GType { adw_message_dialog_get_type() }

  /// How an answer looks.
  public enum Appearance {
    /// As usual.
    case usual
    /// The one that is suggested.
    case suggested
    /// One that cannot be undone.
    case destructive
  }

  /// Creates a question, which needs a parent; see ``Window/setTransient(for:)``.
  public convenience init(title: String, text: String) {
    self.init(borrowing: adw_message_dialog_new(nil, title, text.isEmpty ? nil : text))
    // Screen readers name the window by its title.
    self.title = title
    if NewerGtk.warnsOfSizes { wrapHeadings() }
    breakWithoutHyphens()
    announceText()
  }

  /// What it says below the title.
  private var text: String {
    adw_message_dialog_get_body(ptr()).map { String(cString: $0) } ?? ""
  }

  /// Says something else below the title.
  public func setText(_ text: String) { adw_message_dialog_set_body(ptr(), text) }

  /// Has screen readers that would not read it say the text, once, when the question comes to the
  /// foreground.
  private func announceText() {
    guard !ScreenReader.readsGroups else { return }
    // The handler belongs to the dialog, so the pointer outlives it.
    let dialog = raw
    var isAnnounced = false
    onForeground {
      let question = MessageDialog(borrowing: dialog)
      guard !isAnnounced, !question.text.isEmpty else { return }
      isAnnounced = true
      question.announceWithDescription(question.text)
    }
  }

  /// Gives the large and the small heading the same minimum width: libadwaita measures each of them
  /// for the other's.
  private func wrapHeadings() {
    for label in descendants.compactMap({ $0.cast(to: Label.self) }) {
      gtk_label_set_wrap(label.opaque, 1)
      gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
      gtk_widget_set_size_request(label.widget, 100, -1)
    }
  }

  /// Adds an answer, with a label in which an underscore precedes the mnemonic.
  public func addAnswer(_ id: String, _ label: String, _ appearance: Appearance = .usual) {
    adw_message_dialog_add_response(ptr(), id, label)
    let kind =
      switch appearance {
      case .usual: ADW_RESPONSE_DEFAULT
      case .suggested: ADW_RESPONSE_SUGGESTED
      case .destructive: ADW_RESPONSE_DESTRUCTIVE
      }
    adw_message_dialog_set_response_appearance(ptr(), id, kind)
    // Removes the mnemonics from the accessible names of the answers.
    for widget in descendants { widget.cast(to: Button.self)?.correctAccessibleName() }
  }

  /// Sets the answers for Enter and for Escape.
  public func setAnswers(forEnter enter: String, forEscape escape: String) {
    adw_message_dialog_set_default_response(ptr(), enter)
    adw_message_dialog_set_close_response(ptr(), escape)
    // The handler belongs to the dialog, so the pointer outlives it.
    let dialog = raw
    connect("notify::default-widget") { MessageDialog(borrowing: dialog).focusAnswerForEnter() }
  }

  /// Moves the focus to the button of the answer for Enter.
  ///
  /// Where the answers do not fit side by side, libadwaita 1.2 shows other buttons, one below the
  /// other, once the dialog is on the screen. GTK would give the focus to the first of them, and Enter
  /// its answer.
  private func focusAnswerForEnter() {
    guard isMapped, let answer = gtk_window_get_default_widget(ptr()) else { return }
    // What is typed in a field stays there.
    if let focusedWidget, focusedWidget.cast(to: Button.self) == nil { return }
    gtk_widget_grab_focus(answer)
  }

  /// Shows a widget below the text.
  public func setContent(_ content: Widget) {
    adw_message_dialog_set_extra_child(ptr(), content.widget)
    announceEntryRows()
    let hasEntryRow = content.descendants.contains { $0.cast(to: EntryRow.self) != nil }
    guard hasEntryRow, ScreenReader.ignoresEntryRows else { return }
    // Of a dialog, GTK 4.8 does not say that it is in the foreground: screen readers would know
    // neither of the question nor of its row.
    entrance_set_accessible_role(raw, GTK_ACCESSIBLE_ROLE_WINDOW)
  }

  /// Gives an answer, as if its button was clicked.
  public func answer(_ id: String) {
    adw_message_dialog_response(ptr(), id)
    // The signal alone does not close it, and closing it would give the answer for Escape, too.
    destroy()
  }

  /// Calls `handler` with the answer.
  public func onAnswer(_ handler: @escaping @MainActor (String) -> Void) {
    connect("response") { (arguments: SignalArguments) in handler(arguments.string(0) ?? "") }
  }

  /// Asks over `window`, which gets no input meanwhile.
  ///
  /// - Parameters:
  ///   - answer: the answer that lets `proceed` run.
  ///   - proceed: runs once the question is gone: it is destroyed with the window, and must have given
  ///     its answer before.
  public func ask(
    over window: Window, for answer: String, _ proceed: @escaping @MainActor () -> Void
  ) {
    onAnswer { given in
      MainLoop.whenIdle { if given == answer { proceed() } }
    }
    setTransient(for: window)
    takeOver()
    present()
  }
}
