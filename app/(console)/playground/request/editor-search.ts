import { openSearchPanel, search, searchKeymap } from "@codemirror/search"
import { EditorState, Facet, Prec, StateEffect } from "@codemirror/state"
import { EditorView, keymap } from "@codemirror/view"

const THEME = EditorView.theme({
  ".cm-panels": { backgroundColor: "var(--color-surface)", color: "var(--color-ink)", fontFamily: "var(--font-sans)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--color-line)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 12px", fontSize: "13px" },
  ".cm-panel.cm-search label": { fontSize: "inherit", display: "inline-flex", alignItems: "center" },
  // The editor supports one selection only.
  ".cm-panel.cm-search [name=select]": { display: "none" },
  ".cm-panel.cm-search [name=close]": { top: "6px", right: "10px", fontSize: "16px" },
  ".cm-textfield": {
    backgroundColor: "var(--color-bg)",
    border: "1px solid var(--color-line-strong)",
    borderRadius: "4px",
    padding: "3px 8px",
    fontSize: "inherit",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--color-surface)",
    border: "1px solid var(--color-line-strong)",
    borderRadius: "4px",
    padding: "3px 10px",
    fontSize: "inherit",
  },
  ".cm-searchMatch": { backgroundColor: "var(--color-warn-soft)" },
  // The browser hides its selection when the focus moves to the search panel.
  ".cm-searchMatch.cm-searchMatch-selected": {
    backgroundColor: "var(--color-warn-soft)",
    outline: "1px solid var(--color-warn)",
  },
})

const PHRASES = EditorState.phrases.of({
  next: "Next",
  previous: "Previous",
  replace: "Replace",
  "replace all": "Replace all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  close: "Close",
})

const isSearchLoaded = Facet.define<boolean>()

/** Opens search and replace. The browser's own search misses text that the editor has not drawn. */
export function openSearch(view: EditorView): void {
  if (!view.state.facet(isSearchLoaded).length)
    view.dispatch({
      effects: StateEffect.appendConfig.of([
        isSearchLoaded.of(true),
        search({ top: true }),
        THEME,
        PHRASES,
        Prec.high(keymap.of(searchKeymap)),
      ]),
    })
  openSearchPanel(view)
}
