import { z } from "zod"

/**
 * What nobody sees, or what changes the direction of the text around it. Emoji and some letters need a variation selector after them,
 * and emoji joiners between two of them, so those are allowed. Unicode has four symbols without a shape, such as the Braille blank.
 */
const HIDDEN =
  /(?!(?<=[\p{L}\p{N}\p{P}\p{S}])\p{Variation_Selector}|(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic}))[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800\u{1D159}\u{13441}\u{13442}]/u
/** A mark draws nothing without one of these before it. */
const SHAPE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns the schema of a name or a note: one trimmed line of visible characters. `maxLength` counts code points. It may be empty. */
export const plainLine = (maxLength: number, missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .refine((text) => [...text].length <= maxLength, `Use at most ${maxLength} characters.`)
    .refine(
      (text) => text === "" || (text.isWellFormed() && !HIDDEN.test(text) && SHAPE.test(text)),
      "Use letters, digits and punctuation only, in one line.",
    )

/** The name of a key, a token or an account. */
export const Name = plainLine(64, "Enter a name.").min(1, "Enter a name.")
