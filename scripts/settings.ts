import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { withRights } from "@/lib/server/docs/rights-table"
import { withSettings } from "@/lib/server/docs/settings-table"

const file = path.join(import.meta.dirname, "../docs/operating.md")
writeFileSync(file, withRights(withSettings(readFileSync(file, "utf8"))))
