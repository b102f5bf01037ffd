import { type Extension, StateEffect, StateField } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view"

const setMark = StateEffect.define<{ from: number; to: number } | null>()
const UNDERLINE = Decoration.mark({ class: "cm-fault" })

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(setMark)) {
        const { from, to } = effect.value ?? { from: 0, to: 0 }
        return to > from ? Decoration.set([UNDERLINE.range(from, to)]) : Decoration.none
      }
    return marks.map(transaction.changes)
  },
  provide: (marks) => EditorView.decorations.from(marks),
})

/** Underlines the one place that is at fault: the words for it stand beside the editor. */
export const faultMark: Extension = field

/** Underlines this place of the text, or nothing. */
export function markFault(view: EditorView, fault: { from: number; to: number } | null): void {
  const end = view.state.doc.length
  const place = fault && { from: Math.min(fault.from, end), to: Math.min(fault.to, end) }
  view.dispatch({ effects: setMark.of(place) })
}
