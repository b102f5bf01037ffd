import { writeFileSync } from "node:fs"
import path from "node:path"
import { openApiDocument } from "@/lib/server/api/openapi/document"

writeFileSync(
  path.join(import.meta.dirname, "../public/openapi.json"),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
)
