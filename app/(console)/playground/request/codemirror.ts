import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  Transaction,
} from "@codemirror/state"
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  keymap,
  MatchDecorator,
  ViewPlugin,
} from "@codemirror/view"
import { partsOfRun, RUNS } from "@/lib/shared/long-runs"
import type { Fault } from "@/lib/shared/request-form/find-fault"
import { TEXT_MODE } from "./text-mode"

export interface EditorSetting {
  isJson: boolean
  attributes: Record<string, string>
}

interface EditorOptions {
  parent: HTMLElement
  text: string
  selection: { anchor: number; head: number }
  nonce: string
  setting: EditorSetting
  /** Called at every change by the user, without the text. */
  onInput: () => void
  onLeave: () => void
  /** Passes the text to the form before a shortcut uses it. */
  handOver: () => void
}

export interface EditorHandle {
  text(): string
  /** Replaces the text as one step that can be undone. */
  replace(text: string): void
  set(setting: EditorSetting): void
  mark(faults: readonly Fault[]): void
  select(from: number, to: number): void
  focus(): void
  close(): void
}

const LOOK = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--color-ink)", fontSize: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
  ".cm-content": { caretColor: "var(--color-ink)", padding: "8px 0", flexBasis: "0", minWidth: "0" },
  ".cm-content ::selection": { backgroundColor: "var(--color-accent-soft)" },
  // Wraps like "anywhere" at a third of the layout cost: the browser does not measure single characters.
  ".cm-content.cm-lineWrapping": { wordBreak: "normal", overflowWrap: "break-word" },
  ".cm-line": { padding: "0 12px" },
  // Each part is shaped and ordered alone, so that marks and changes of direction cost time by their number, not its square.
  ".cm-part, .cm-next-part": { unicodeBidi: "isolate" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--color-ink-muted)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.25em" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--color-sunken)", border: "none", color: "var(--color-ink-muted)" },
  ".cm-fault-line": { backgroundColor: "var(--color-danger-soft)" },
  ".cm-fault": { textDecoration: "underline wavy var(--color-danger-fill)", textUnderlineOffset: "3px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--color-accent-soft)" },
})

const settingOf = ({ isJson, attributes }: EditorSetting): Extension =>
  EditorView.contentAttributes.of({
    ...attributes,
    "aria-multiline": "true",
    tabindex: "0",
    spellcheck: isJson ? "false" : "true",
    ...(isJson ? { autocapitalize: "off", autocorrect: "off" } : { autocapitalize: "sentences" }),
  })

function createModeSwitch(mode: Compartment) {
  let isWanted = false
  return (view: EditorView, isJson: boolean): void => {
    if (isJson === isWanted) return
    isWanted = isJson
    if (!isJson) return void view.dispatch({ effects: mode.reconfigure(TEXT_MODE) })
    const apply = ({ JSON_MODE }: typeof import("./json-mode")) => {
      if (isWanted) view.dispatch({ effects: mode.reconfigure(JSON_MODE) })
    }
    // Without the code, JSON is edited as plain text.
    import("./json-mode").then(apply).catch(() => {})
  }
}

/** Loads the search on first use. From then on the search's own key bindings take precedence. */
function loadSearch(view: EditorView): boolean {
  import("./editor-search").then(({ openSearch }) => openSearch(view)).catch(() => {})
  return true
}

const setFaults = StateEffect.define<readonly { from: number; to: number; title: string }[]>()
const LINE = Decoration.line({ class: "cm-fault-line" })

const faultMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(setFaults)) {
        const lines = new Set(effect.value.map(({ from }) => transaction.newDoc.lineAt(from).from))
        // A fault at the end of the text has nothing to underline.
        const underlines = effect.value
          .filter(({ from, to }) => to > from)
          .map(({ from, to, title }) => Decoration.mark({ class: "cm-fault", attributes: { title } }).range(from, to))
        return Decoration.set([...[...lines].map((from) => LINE.range(from)), ...underlines], true)
      }
    return marks.map(transaction.changes)
  },
  provide: (marks) => EditorView.decorations.from(marks),
})

/** Two, because neighbours of one class become one element. */
const PARTS = ["cm-part", "cm-next-part"].map((name) => Decoration.mark({ class: name }))
const runFinder = new MatchDecorator({
  regexp: RUNS,
  decorate: (add, from, _to, [run]) => {
    let start = from
    for (const [at, part] of (partsOfRun(run) ?? []).entries()) {
      const mark = PARTS[at % PARTS.length]
      if (mark) add(start, start + part.length, mark)
      start += part.length
    }
  },
})

const longRuns = ViewPlugin.define(
  (view) => ({
    marks: runFinder.createDeco(view),
    update(update) {
      this.marks = runFinder.updateDeco(update, this.marks)
    },
  }),
  { decorations: ({ marks }) => marks },
)

function markFaults(view: EditorView, faults: readonly Fault[]): void {
  const end = view.state.doc.length
  const places = faults.map(({ from, to, expected, message }) => ({
    from: Math.min(from, end),
    to: Math.min(to, end),
    title: expected ?? message,
  }))
  view.dispatch({ effects: setFaults.of(places) })
}

/** Marks a change that the form made, not the user. */
const byOwner = Annotation.define<true>()

/** Tab is not bound, so it moves the focus as in any field. */
const base = (options: EditorOptions): Extension => [
  // Preserves carriage returns in the text.
  EditorState.lineSeparator.of("\n"),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
  EditorView.cspNonce.of(options.nonce),
  keymap.of([
    // Stops the editor from adding a line. The page's own shortcut runs the request.
    {
      key: "Mod-Enter",
      run: () => {
        options.handOver()
        return true
      },
    },
    { key: "Mod-f", run: loadSearch },
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  history(),
  faultMarks,
  longRuns,
  highlightSpecialChars(),
  EditorView.lineWrapping,
  LOOK,
  EditorView.updateListener.of(({ docChanged, transactions }) => {
    if (docChanged && !transactions.some((change) => change.annotation(byOwner))) options.onInput()
  }),
  EditorView.domEventHandlers({ blur: () => void options.onLeave() }),
]

export function openEditor(options: EditorOptions): EditorHandle {
  const [setting, mode] = [new Compartment(), new Compartment()]
  const switchMode = createModeSwitch(mode)
  const { parent, text, selection } = options
  const extensions = [base(options), setting.of(settingOf(options.setting)), mode.of(TEXT_MODE)]
  const clamp = (at: number) => Math.min(at, text.length)
  const view = new EditorView({ parent, state: EditorState.create({ extensions }) })
  // Has the editor measure its width first. It would draw a line of 20,000 characters or more whole once, because it estimates how
  // much of it is visible from a line of 30 characters.
  view.lineBlockAtHeight(0)
  view.dispatch({
    changes: { from: 0, insert: text },
    selection: { anchor: clamp(selection.anchor), head: clamp(selection.head) },
    annotations: [byOwner.of(true), Transaction.addToHistory.of(false)],
  })
  switchMode(view, options.setting.isJson)
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => {
      const changes = { from: 0, to: view.state.doc.length, insert: next }
      view.dispatch({ changes, annotations: byOwner.of(true) })
    },
    set: (next) => {
      view.dispatch({ effects: setting.reconfigure(settingOf(next)) })
      switchMode(view, next.isJson)
    },
    mark: (faults) => markFaults(view, faults),
    select: (from, to) => {
      const end = view.state.doc.length
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true })
      view.focus()
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  }
}
