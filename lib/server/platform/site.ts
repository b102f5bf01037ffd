import { createHash } from "node:crypto"
import type { Site } from "@/lib/shared/site/site"
import type { Logo } from "./brand-settings"
import type { Runtime } from "./runtime"

/** Returns the path of a logo. It contains a hash of the file, so that browsers may keep it. */
export function logoPath({ type, bytes }: Logo): string {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16)
  return `/logo/${hash}.${type === "image/png" ? "png" : "svg"}`
}

const LEGAL = [
  ["TERMS_URL", "Terms"],
  ["PRIVACY_URL", "Privacy"],
  ["LEGAL_NOTICE_URL", "Legal notice"],
] as const

/** Returns the name, logo, contact and legal links that every page shows. */
export function readSite({ env }: Pick<Runtime, "env">): Site {
  return {
    name: env.SERVICE_NAME,
    logoUrl: env.SERVICE_LOGO ? logoPath(env.SERVICE_LOGO) : null,
    support: { email: env.SUPPORT_EMAIL ?? null, url: env.SUPPORT_URL ?? null },
    legal: LEGAL.flatMap(([setting, label]) => (env[setting] ? [{ label, href: env[setting] }] : [])),
  }
}

/** Who issues a statement. Texts are empty while the operator has not set them. */
export interface Issuer {
  name: string
  address: string
  vatId: string
}

/** Returns what statements name as their issuer. */
export const readIssuer = ({ env }: Pick<Runtime, "env">): Issuer => ({
  name: env.SERVICE_NAME,
  address: env.SERVICE_ADDRESS ?? "",
  vatId: env.SERVICE_VAT_ID ?? "",
})

/** Returns the style sheet of the company's colours; null for the built-in ones. */
export function accentSheet({ env: { accent } }: Pick<Runtime, "env">): string | null {
  if (!accent) return null
  const { light, dark } = accent
  const tokens = {
    "--color-accent": `light-dark(${light.accent},${dark.accent})`,
    "--color-accent-strong": `light-dark(${light.strong},${dark.strong})`,
    "--color-accent-soft": `light-dark(${light.soft},${dark.soft})`,
  }
  // The doubled selector wins over the built-in tokens, wherever this sheet is placed.
  return `:root:root{${Object.entries(tokens)
    .map((pair) => pair.join(":"))
    .join(";")}}`
}
