import { expect, test } from "vitest"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { checkReturn } from "@/lib/server/billing/check-topup"
import { streamLedger } from "@/lib/server/billing/export-ledger"
import { getStatement } from "@/lib/server/billing/get-statement"
import { checkCardReturn } from "@/lib/server/billing/save-card-session"
import { probeModel } from "@/lib/server/models/report-models"
import { OPERATOR, operatorFor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { findRequest } from "@/lib/server/usage/find-request"
import { getUsage } from "@/lib/server/usage/get-usage"
import { listDailySpend } from "@/lib/server/usage/list-daily-spend"
import { listRequests } from "@/lib/server/usage/list-requests"
import { streamRequests } from "@/lib/server/usage/stream-requests"
import { ownerOf } from "./sign-up"

const owner = ownerOf(newId())
const backwards = { from: "2026-11-02", to: "2026-11-01" }

// A verb parses its input before it reads anything, so these need no database.
test.each<[verb: string, param: string, call: () => unknown]>([
  ["findRequest", "id", () => findRequest(runtime(), owner, { id: "r".repeat(61) })],
  ["getUsage", "range", () => getUsage(runtime(), owner, { range: backwards })],
  ["listDailySpend", "days", () => listDailySpend(runtime(), owner, { days: 367 })],
  ["listRequests", "before", () => listRequests(runtime(), owner, { range: { days: 7 }, before: "yesterday" })],
  ["streamRequests", "range", () => streamRequests(runtime(), owner, { range: backwards })],
  ["getStatement", "month", () => getStatement(runtime(), owner, { month: "2026-13" })],
  ["streamLedger", "month", () => streamLedger(runtime(), owner, { month: "November" })],
  ["checkReturn", "sessionId", () => checkReturn(runtime(), owner, { sessionId: "cs_test_1/expire" })],
  ["checkCardReturn", "sessionId", () => checkCardReturn(runtime(), owner, { sessionId: "" })],
  ["setAccountStatus", "status", () => setAccountStatus(runtime(), operatorFor(newId()), "paused" as "suspended")],
  ["probeModel", "id", () => probeModel(runtime(), OPERATOR, { id: "m".repeat(201) })],
])("%s refuses bad input as invalid_request and names %s", async (_verb, param, call) => {
  await expect((async () => call())()).rejects.toMatchObject({ code: "invalid_request", status: 400, param })
})
