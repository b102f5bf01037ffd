import { streamExport } from "@/lib/server/closing/export-account"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { dayOf } from "@/lib/shared/time"
import { downloadRoute } from "../../_components/download-route"

export const GET = downloadRoute("/settings", async (actor) => ({
  name: `${publicId("acc", actor.accountId)}-${dayOf(new Date())}.zip`,
  type: "application/zip",
  body: await streamExport(runtime(), actor),
}))
