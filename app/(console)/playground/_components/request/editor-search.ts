import { openSearchPanel, search, searchKeymap } from "@codemirror/search"
import { EditorState, Facet, Prec, StateEffect } from "@codemirror/state"
import { EditorView, keymap } from "@codemirror/view"

const LOOK = EditorView.theme({
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--ink)", fontFamily: "var(--font-sans)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 12px", fontSize: "13px" },
  ".cm-panel.cm-search label": { fontSize: "inherit", display: "inline-flex", alignItems: "center" },
  // It would leave one of many: the editor has one selection.
  ".cm-panel.cm-search [name=select]": { display: "none" },
  ".cm-panel.cm-search [name=close]": { top: "6px", right: "10px", fontSize: "16px" },
  ".cm-textfield": {
    backgroundColor: "var(--bg)",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px",
    padding: "3px 8px",
    fontSize: "inherit",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px",
    padding: "3px 10px",
    fontSize: "inherit",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)" },
  // The browser's selection leaves the text with the focus.
  ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)" },
})

const WORDS = EditorState.phrases.of({
  next: "Next",
  previous: "Previous",
  replace: "Replace",
  "replace all": "Replace all",
  "match case": "Match case",
  regexp: "Pattern",
  "by word": "Whole words",
  close: "Close",
})

const searchIsThere = Facet.define<boolean>()

/** Search and replace, loaded when somebody first asks for it: what is off the screen is not found by the browser's own. */
export function openSearch(view: EditorView): void {
  if (!view.state.facet(searchIsThere).length)
    view.dispatch({
      effects: StateEffect.appendConfig.of([
        searchIsThere.of(true),
        search({ top: true }),
        LOOK,
        WORDS,
        Prec.high(keymap.of(searchKeymap)),
      ]),
    })
  openSearchPanel(view)
}
