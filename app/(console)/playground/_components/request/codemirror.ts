import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { Compartment, EditorState, type Extension } from "@codemirror/state"
import { EditorView, highlightSpecialChars, keymap } from "@codemirror/view"
import type { EditorHandle, EditorOptions, EditorSetting } from "./editor"
import { faultMark, markFault } from "./fault-mark"

const LOOK = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0", flexBasis: "0", minWidth: "0" },
  ".cm-content ::selection": { backgroundColor: "var(--accent-soft)" },
  // Wraps the same as "anywhere", but a long line is laid out at a third of the cost: no character of it is measured alone.
  ".cm-content.cm-lineWrapping": { wordBreak: "normal", overflowWrap: "break-word" },
  ".cm-line": { padding: "0 12px" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--ink-muted)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.25em" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--sunken)", border: "none", color: "var(--ink-muted)" },
  ".cm-fault": { textDecoration: "underline wavy var(--danger-fill)", textUnderlineOffset: "3px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
})

const settingOf = ({ isJson, attributes }: EditorSetting): Extension =>
  EditorView.contentAttributes.of({
    ...attributes,
    "aria-multiline": "true",
    tabindex: "0",
    spellcheck: isJson ? "false" : "true",
    ...(isJson ? { autocapitalize: "off", autocorrect: "off" } : { autocapitalize: "sentences" }),
  })

/** Takes the JSON mode in or out: its code is only loaded where JSON is written. */
function createModeSwitch(mode: Compartment) {
  let isWanted = false
  return (view: EditorView, isJson: boolean): void => {
    if (isJson === isWanted) return
    isWanted = isJson
    if (!isJson) view.dispatch({ effects: mode.reconfigure([]) })
    if (!isJson) return
    const take = ({ JSON_MODE }: typeof import("./json-mode")) => {
      if (isWanted) view.dispatch({ effects: mode.reconfigure(JSON_MODE) })
    }
    // Without the code JSON is written as plain text.
    import("./json-mode").then(take).catch(() => {})
  }
}

/** Once it is there, its own keys come first. */
function askSearch(view: EditorView): boolean {
  import("./editor-search").then(({ openSearch }) => openSearch(view)).catch(() => {})
  return true
}

/** What does not change while an editor is open. Tab is bound to nothing: it moves the focus on, as in any field. */
const base = (options: EditorOptions): Extension => [
  // Line breaks other than \n are kept as they are read.
  EditorState.lineSeparator.of("\n"),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
  EditorView.cspNonce.of(options.nonce),
  // Ctrl+Enter runs, wherever the focus is.
  keymap.of([
    { key: "Mod-Enter", run: () => true },
    { key: "Mod-f", run: askSearch },
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  history(),
  faultMark,
  highlightSpecialChars(),
  EditorView.lineWrapping,
  LOOK,
  EditorView.updateListener.of((update) => update.docChanged && options.onInput()),
  EditorView.domEventHandlers({ blur: () => void options.onLeave() }),
]

/** An editor in `parent`, with the text, the selection and the focus that the text area before it had. */
export function openEditor(options: EditorOptions): EditorHandle {
  const [setting, mode] = [new Compartment(), new Compartment()]
  const switchMode = createModeSwitch(mode)
  const { parent, text, selection } = options
  const extensions = [base(options), setting.of(settingOf(options.setting)), mode.of([])]
  const clamp = (at: number) => Math.min(at, text.length)
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      selection: { anchor: clamp(selection.anchor), head: clamp(selection.head) },
      extensions,
    }),
  })
  switchMode(view, options.setting.isJson)
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    set: (next) => {
      view.dispatch({ effects: setting.reconfigure(settingOf(next)) })
      switchMode(view, next.isJson)
    },
    mark: (fault) => markFault(view, fault),
    select: (from, to) => {
      const end = view.state.doc.length
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true })
      view.focus()
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  }
}
