import { expect } from "@playwright/test"
import { formatPrice } from "@/lib/shared/format"
import { MODEL } from "./requests"
import type { Service } from "./service"

interface ModelPrice {
  id: string
  price_per_million_input_tokens_usd: string
}

// The model list is rate-limited.
const WAIT = { intervals: [250] }

async function chargedPrice({ url }: Service): Promise<number> {
  const response = await fetch(`${url}/v1/models`)
  if (!response.ok) return Number.NaN
  const { data } = (await response.json()) as { data: ModelPrice[] }
  return Number(data.find(({ id }) => id === MODEL)?.price_per_million_input_tokens_usd)
}

/** Sets the price of the default model, in USD per million tokens, and waits until the API charges it and the console shows it. */
export async function setPrice(service: Service, usd: string): Promise<void> {
  await service.operator("model", "price", MODEL, usd)
  await expect.poll(() => chargedPrice(service), WAIT).toBe(Number(usd))
  if (service.settings.SERVE === "api") return
  // The console's process reads the catalogue for itself.
  const shown = async () => (await fetch(`${service.url}/models`)).text()
  await expect.poll(shown, WAIT).toContain(formatPrice(usd))
}

/** Formats pico-USD below a cent as the console does: with three significant digits. */
export function shown(pico: bigint): string {
  const unit = 10n ** BigInt(Math.max(0, pico.toString().length - 3))
  return exactly(((pico + unit / 2n) / unit) * unit)
}

/** Formats pico-USD with every digit, and at least two decimals. */
export function exactly(pico: bigint): string {
  const text = pico.toString().padStart(13, "0")
  return `$${text.slice(0, -12)}.${text.slice(-12).replace(/0{0,10}$/, "")}`
}
