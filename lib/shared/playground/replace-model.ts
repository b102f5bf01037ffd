import { membersOf, rootOf } from "./json-parts"

/** A request's text with another model in it and nothing else changed; as it is where it names that one or none. */
export function replaceModel(text: string, model: string): string {
  const member = membersOf(text, rootOf(text))?.find(({ name }) => name === "model")
  if (!member) return text
  const { start, end } = member.value
  const source = text.slice(start, end)
  if (source.startsWith('"') && JSON.parse(source) === model) return text
  return text.slice(0, start) + JSON.stringify(model) + text.slice(end)
}
