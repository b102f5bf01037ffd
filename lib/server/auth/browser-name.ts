import { userAgentFromString } from "next/server"

const plain = (text: string | undefined): string => (text ?? "").replace(/[^\w .+-]/g, "").slice(0, 40)

/** "Chrome on Linux": how a person tells sessions apart; null when a `User-Agent` names no browser. Nothing else of it is kept. */
export function browserName(userAgent: string | null): string | null {
  if (!userAgent || userAgent.length > 1_000) return null
  const { browser, os } = userAgentFromString(userAgent)
  const name = plain(browser.name).replace(/^Mobile /, "")
  if (!name) return null
  const system = plain(os.name).replace(/^Mac OS$/, "macOS")
  return system ? `${name} on ${system}` : name
}
