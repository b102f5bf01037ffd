import { type Extension, RangeSetBuilder } from "@codemirror/state"
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from "@codemirror/view"

const OWN_DIRECTION = Decoration.line({ attributes: { dir: "auto" } })

/** In a longer line, a browser may look for the first letter for seconds. */
const MOST = 10_000

function markLines({ state, visibleRanges }: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges)
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      if (line.length <= MOST) marks.add(line.from, line.from, OWN_DIRECTION)
      if (line.to >= to || line.number === state.doc.lines) break
    }
  return marks.finish()
}

const lineDirections = ViewPlugin.define(
  (view) => ({
    marks: markLines(view),
    update(update) {
      if (update.docChanged || update.viewportChanged) this.marks = markLines(update.view)
    },
  }),
  { decorations: ({ marks }) => marks },
)

/** Gives each line the direction of its first letter, because a state may be written from right to left. */
export const TEXT_MODE: Extension = [EditorView.perLineTextDirection.of(true), lineDirections]
