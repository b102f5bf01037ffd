import { json } from "@codemirror/lang-json"
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language"
import type { Extension } from "@codemirror/state"
import { lineNumbers } from "@codemirror/view"
import { tags } from "@lezer/highlight"

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--color-accent-strong)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--color-warn)" },
  { tag: tags.string, color: "var(--color-ink)" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: "var(--color-ink-muted)" },
])

export const JSON_MODE: Extension = [
  json(),
  syntaxHighlighting(COLOURS),
  lineNumbers(),
  foldGutter(),
  bracketMatching(),
  indentOnInput(),
]
