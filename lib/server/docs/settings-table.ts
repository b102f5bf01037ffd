import type { z } from "zod"
import { SECRETS, Settings } from "@/lib/server/platform/settings"

/** Returns the default of a setting as the table shows it. */
function defaultOf(schema: z.ZodType): string {
  const fallback = schema.meta()?.fallback
  if (typeof fallback === "string") return fallback
  const { defaultValue } = schema.def as { defaultValue?: unknown }
  return defaultValue === undefined ? "none" : `\`${defaultValue}\``
}

function rowOf([name, schema]: [string, z.ZodType]): string {
  if (!schema.description) throw new Error(`The setting ${name} has no description.`)
  const names = SECRETS.includes(name) ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``
  return `| ${names} | ${defaultOf(schema)} | ${schema.description} |`
}

const HEAD = "| Setting | Default | Meaning |\n|---|---|---|\n"

/** Returns docs/operating.md with the table of settings as the schema describes them. */
export const withSettings = (document: string): string =>
  document.replace(/\| Setting \|.*?\n\n/s, () => `${HEAD}${Object.entries(Settings.shape).map(rowOf).join("\n")}\n\n`)
