import { z } from "zod"
import { checkedTags, MAX_TAGS } from "./tags"

const BAD_TAGS = `Enter up to ${MAX_TAGS} tags such as team=search, separated by spaces, each with another name. Use letters, digits, dots, underscores and hyphens.`

/** The tags of a key: a list, or the text of a field. */
export const TagsField = z
  .union([z.array(z.string()), z.string().max(1_000, BAD_TAGS)])
  .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given).filter((part) => part !== ""))
  .transform((tags, context) => {
    const checked = checkedTags(tags)
    if (checked) return checked
    context.addIssue({ code: "custom", message: BAD_TAGS })
    return z.NEVER
  })
