import { openSearchPanel, search, searchKeymap } from "@codemirror/search"
import { Facet, Prec, StateEffect } from "@codemirror/state"
import { type EditorView, keymap } from "@codemirror/view"

const searchIsThere = Facet.define<boolean>()

/** Search and replace, loaded when somebody first asks for it: what is off the screen is not found by the browser's own. */
export function openSearch(view: EditorView): void {
  if (!view.state.facet(searchIsThere).length)
    view.dispatch({
      effects: StateEffect.appendConfig.of([
        searchIsThere.of(true),
        search({ top: true }),
        Prec.high(keymap.of(searchKeymap)),
      ]),
    })
  openSearchPanel(view)
}
