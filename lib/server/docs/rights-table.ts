import { RIGHTS } from "@/lib/server/platform/db/rights"

const HEAD = "| Right | Who needs it | Why |\n|---|---|---|\n"

/** Returns docs/operating.md with the table of the rights in PostgreSQL that the start checks. */
export const withRights = (document: string): string => {
  const rows = RIGHTS.map(
    ({ right, duties, why }) => `| ${right} | The role that ${duties.join(" and the one that ")} | ${why} |`,
  )
  return document.replace(/\| Right \|.*?\n\n/s, () => `${HEAD}${rows.join("\n")}\n\n`)
}
