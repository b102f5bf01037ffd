"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { requestLedgerCheck } from "@/lib/server/ledger/ledger-checks"
import { Nothing } from "@/lib/shared/operator/forms"

export const verifyLedgerAction = operatorAction(Nothing, requestLedgerCheck)
