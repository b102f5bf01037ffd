import type { Pico } from "@/lib/shared/money"
import { changeOne } from "./change-one"

/** Sets the price of a pinned model, in pico-USD per token. Requests in flight keep the price of their hold. */
export const setPrice = (id: string, pricePico: Pico): Promise<void> =>
  changeOne("UPDATE model SET price_pico = $2 WHERE id = $1 AND kind = 'pinned'", [id, pricePico])
