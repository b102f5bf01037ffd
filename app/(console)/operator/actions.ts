"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { requestLedgerCheck } from "@/lib/server/ledger/check-runs"
import { Nothing } from "@/lib/shared/operator/forms"

export const verifyLedgerAction = operatorAction(Nothing, requestLedgerCheck)
