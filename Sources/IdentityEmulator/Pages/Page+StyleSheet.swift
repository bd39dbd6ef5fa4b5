extension Page {
  /// The style of all pages.
  ///
  /// Colors have a contrast of at least 4.5 to 1 in light and dark.
  static let styleSheet: HTML = """

    :root {
      --page: #e9edf3; --card: #ffffff; --text: #1c2430; --quiet: #566173; --line: #c9d1dc;
      --accent: #2456c4; --accent-hover: #1c479f; --on-accent: #ffffff; --hover: #f1f4f9;
      --error: #b3261e; --error-ground: #fdeceb; --shadow: 0 8px 30px rgb(20 30 60 / 12%);
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14171d; --card: #20252e; --text: #eef1f6; --quiet: #a9b4c4; --line: #414a59;
        --accent: #8db4ff; --accent-hover: #a9c6ff; --on-accent: #0f1b33; --hover: #2a313c;
        --error: #ffb4ab; --error-ground: #43221f; --shadow: none;
      }
    }
    * { box-sizing: border-box; }
    html { font: 16px/1.5 system-ui, Cantarell, "Noto Sans", sans-serif; }
    body { margin: 0; min-height: 100vh; background: var(--page); color: var(--text); }
    .column {
      display: flex; flex-direction: column; gap: 16px; justify-content: center;
      min-height: 100vh; width: 100%; max-width: 440px; margin: 0 auto; padding: 16px;
    }
    .card {
      background: var(--card); border-radius: 12px; padding: 32px; box-shadow: var(--shadow);
    }
    .brand {
      display: flex; align-items: center; gap: 10px; margin: 0 0 20px; color: var(--quiet);
      font-size: 15px; font-weight: 600;
    }
    .mark {
      width: 22px; height: 22px; border-radius: 7px; background: var(--accent);
      box-shadow: inset -6px -6px 0 rgb(255 255 255 / 28%);
    }
    h1 { margin: 0 0 8px; font-size: 24px; font-weight: 650; line-height: 1.25; }
    p { margin: 0 0 12px; overflow-wrap: anywhere; }
    .quiet { color: var(--quiet); font-size: 14px; }
    label { display: block; margin: 16px 0 6px; font-size: 14px; font-weight: 600; }
    input {
      width: 100%; padding: 10px 12px; font: inherit; color: inherit; background: transparent;
      border: 1px solid var(--quiet); border-radius: 8px;
    }
    input[aria-invalid="true"] { border-color: var(--error); }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    .message {
      margin: 12px 0 0; padding: 10px 12px; border-radius: 8px; font-size: 14px;
      color: var(--error); background: var(--error-ground);
    }
    .buttons {
      display: flex; flex-wrap: wrap; flex-direction: row-reverse; gap: 10px; margin-top: 24px;
    }
    button {
      min-height: 42px; padding: 8px 20px; font: inherit; font-weight: 600; cursor: pointer;
      color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px;
    }
    button:hover { background: var(--hover); }
    button.primary { color: var(--on-accent); background: var(--accent); border-color: transparent; }
    button.primary:hover { background: var(--accent-hover); }
    .accounts { display: flex; flex-direction: column; gap: 8px; margin-top: 16px; }
    .account {
      display: flex; align-items: center; gap: 14px; width: 100%; padding: 10px 12px;
      text-align: left; font-weight: 400;
    }
    .account b { display: block; }
    .account .quiet { display: block; overflow-wrap: anywhere; }
    .badge {
      flex: none; display: grid; place-items: center; width: 38px; height: 38px; font-weight: 600;
      border-radius: 50%; color: var(--on-accent); background: var(--accent);
    }
    .identity {
      display: inline-block; max-width: 100%; margin: 0 0 12px; padding: 2px 12px; font-size: 14px;
      border: 1px solid var(--line); border-radius: 20px; overflow-wrap: anywhere;
    }
    ul { margin: 12px 0; padding-left: 20px; }
    li { margin: 4px 0; }
    .demo { padding: 0 16px; color: var(--quiet); font-size: 14px; }
    .demo p { margin: 0 0 4px; }
    .demo ul { margin: 4px 0 8px; }
    .demo form { display: inline; }
    button.link {
      min-height: 24px; padding: 0; border: 0; color: var(--accent); text-align: left;
      text-decoration: underline;
    }
    button.link:hover { background: transparent; }
    code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
    dl { margin: 16px 0 0; font-size: 14px; }
    dt { color: var(--quiet); }
    dd { margin: 0 0 8px; overflow-wrap: anywhere; }
    iframe { width: 100%; height: 80px; border: 1px solid var(--line); border-radius: 8px; }
    @media (max-width: 400px) {
      .column { padding: 8px; justify-content: flex-start; }
      .card { padding: 24px 20px; }
      .buttons button { flex: 1 1 auto; }
    }
    """
}
