/** The header with which a request sends tags of its own. */
export const TAG_HEADER = "X-Svc-Tag"

/** The most tags of a key, and of a request's header. */
export const MAX_TAGS = 5

/** `name=value`, such as `team=search`, as the pattern of a field. */
export const TAG_PATTERN = "[A-Za-z0-9._\\-]{1,64}=[A-Za-z0-9._\\-]{1,64}"
const TAG = new RegExp(`^${TAG_PATTERN}$`)

export const TAGS_RULE = `Send up to ${MAX_TAGS} tags such as team=search, separated by commas. A name and its value each have 1 to 64 letters, digits, dots, underscores or hyphens.`

/** Returns the name of a tag. */
const nameOfTag = (tag: string): string => tag.slice(0, tag.indexOf("="))

export const isTag = (text: string): boolean => TAG.test(text)

const sorted = (tags: readonly string[]): string[] => tags.toSorted((a, b) => (a < b ? -1 : 1))

/** Returns the tags in the order of their names. Null when there are over five, one is malformed, or two have the same name. */
export function checkedTags(tags: readonly string[]): string[] | null {
  if (tags.length > MAX_TAGS || !tags.every(isTag)) return null
  return new Set(tags.map(nameOfTag)).size === tags.length ? sorted(tags) : null
}

/** Reads tags that are separated by commas, as `checkedTags` does. Null for an empty text too. */
export const parseTags = (text: string): string[] | null => checkedTags(text.split(",").map((part) => part.trim()))

/** Returns the tags of a request: its own, and those of its key with other names. */
export function joinedTags(ofKey: readonly string[], ofRequest: readonly string[]): readonly string[] {
  if (ofRequest.length === 0) return ofKey
  if (ofKey.length === 0) return ofRequest
  const own = new Set(ofRequest.map(nameOfTag))
  return sorted([...ofRequest, ...ofKey.filter((tag) => !own.has(nameOfTag(tag)))])
}

/** The label and the hint of a key's tags in forms. */
export const TAGS_FIELD = {
  label: "Tags (optional)",
  hint: "Cost centres such as team=search env=prod. Usage and statements add up each.",
}
