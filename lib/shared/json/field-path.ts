import { nameAt } from "./names"
import type { JsonNode } from "./request-index"

/** Longest names, in code points, that an error may show: fields and questions, and options. */
const LONGEST_FIELD = 64
const LONGEST_OPTION = 128

/**
 * The path of the field whose name at `offset` repeats another in an object of level `depth`: as far down as request, question
 * and option, so nothing of state, instructions or descriptions is named. A name too long to be shown gives its parent's path.
 */
export function fieldPath(root: JsonNode, offset: number, depth: number): string {
  const path: string[] = []
  let node = root
  for (let level = 1; ; level++) {
    const children = node.children()
    if (children.length === 0) return joined(path, null)
    const most = level === 4 ? LONGEST_OPTION : LONGEST_FIELD
    if (level === depth) return joined(path, nameAt(node.body, offset, most))
    const position = children.findIndex((child) => child.start <= offset && offset < child.end)
    const child = children[position]
    if (!child) return joined(path, null)
    const name = child.nameStart === 0 ? String(position) : child.name(most)
    if (!name) return joined(path, null)
    path.push(name)
    node = child
  }
}

const joined = (path: string[], name: string | null): string => (name ? [...path, name] : path).join(".") || "body"
