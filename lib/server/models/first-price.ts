import { BYTE_RULE } from "@/lib/server/engines/token-count"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { type Pico, parsePricePerMillion, pico } from "@/lib/shared/money"

const DECIDER_PRICE_USD = "0.020000"

/** What a model costs that nobody has priced: nothing, but the first decider where its tokens are its tokenizer's. */
export const firstPrice = (id: string, tokenizer: string): Pico =>
  (id === FIRST_DECIDER && tokenizer !== BYTE_RULE && parsePricePerMillion(DECIDER_PRICE_USD)) || pico(0)
