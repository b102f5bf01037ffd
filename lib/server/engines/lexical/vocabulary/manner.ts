import type { Cue } from "../cues"

/** E-mail addresses, numbers of cards, phones and documents, street addresses. */
export const PERSONAL: Cue[] = [
  [0.9, "[\\w.+-]{1,64}@[\\w-]{1,63}\\.\\w+, \\d{3}-\\d{2}-\\d{4}, (\\d{4}[ -]?){3}\\d{4}"],
  [
    0.8,
    "\\+?\\d{1,3}[ .-]?\\(?\\d{2,4}\\)?[ .-]\\d{3,4}[ .-]?\\d{2,4}, \\d{1,5} [a-z]{2,20} (street|st|avenue|ave|road|rd|lane|drive), ssn, passport number, date of birth",
  ],
]

export const QUESTION: Cue[] = [
  [0.85, "[^\\s?]{1,32}\\?"],
  [
    0.5,
    "(how|what|when|where|why|who|which|can|could) (do|does|did|is|are|was|were|can|could|i|you|we|to|much|many|long)",
  ],
]

export const THANKS: Cue[] = [[0.85, "thanks?, thank you, thx, grateful, appreciate\\w*, cheers, much obliged"]]
