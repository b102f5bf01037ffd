import { writeFileSync } from "node:fs"
import path from "node:path"
import { accountDocument } from "@/lib/server/api/openapi/account-document"
import { openApiDocument } from "@/lib/server/api/openapi/document"
import { adminDocument } from "@/lib/server/management/admin-document"

const write = (file: string, document: object) =>
  writeFileSync(path.join(import.meta.dirname, "../public", file), `${JSON.stringify(document, null, 2)}\n`)

write("openapi.json", openApiDocument())
write("api/openapi.json", accountDocument())
write("api/admin/openapi.json", adminDocument())
