"use server"
import { renameAccount } from "@/lib/server/accounts/account-name"
import { createAccountToken, revokeAccountToken } from "@/lib/server/accounts/account-tokens"
import { addAccount } from "@/lib/server/accounts/add-account"
import { warnAt } from "@/lib/server/accounts/mail-settings"
import { cancelEmailChange, requestEmailChange } from "@/lib/server/auth/change-email"
import { endOwnSession } from "@/lib/server/auth/sessions"
import { userAction, userRead } from "@/lib/server/auth/user-action"
import { saveBillingDetails } from "@/lib/server/billing/billing-details"
import { closeAccount } from "@/lib/server/closing/close-account"
import { deleteUser } from "@/lib/server/closing/delete-user"
import { checkExport } from "@/lib/server/closing/export-account"
import { setKeyRules } from "@/lib/server/keys/key-rules"
import { leaveAccount } from "@/lib/server/members/change-members"
import { keepOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import { setTakingPart } from "@/lib/server/shadows/refuse-shadows"
import {
  CancelEmailInput,
  ChangeEmailInput,
  CloseAccountInput,
  DeleteUserInput,
  ExportInput,
} from "@/lib/shared/accounts/closing"
import { AccountNameInput, LeaveInput } from "@/lib/shared/accounts/members"
import { CreateTokenInput, RevokeTokenInput, WarnAtInput } from "@/lib/shared/accounts/schema"
import { EndSessionInput } from "@/lib/shared/auth/schema"
import { BillingDetails } from "@/lib/shared/billing/billing-details"
import { SetKeyRulesInput } from "@/lib/shared/keys/key-rules"
import { KeepOutcomesInput } from "@/lib/shared/outcomes/outcome-request"
import { TakePartInput } from "@/lib/shared/shadows/take-part"

export const createTokenAction = userAction(CreateTokenInput, createAccountToken)
export const revokeTokenAction = userAction(RevokeTokenInput, revokeAccountToken)
export const warnAtAction = userAction(WarnAtInput, warnAt)
export const endSessionAction = userAction(EndSessionInput, endOwnSession)
export const saveBillingDetailsAction = userAction(BillingDetails, saveBillingDetails)
export const keepOutcomesAction = userAction(KeepOutcomesInput, keepOutcomes)
export const setTakingPartAction = userAction(TakePartInput, setTakingPart)
export const renameAccountAction = userAction(AccountNameInput, renameAccount)
export const addAccountAction = userAction(AccountNameInput, addAccount)
export const setKeyRulesAction = userAction(SetKeyRulesInput, setKeyRules)
export const leaveAccountAction = userAction(LeaveInput, leaveAccount)
export const changeEmailAction = userAction(ChangeEmailInput, requestEmailChange)
export const cancelEmailAction = userAction(CancelEmailInput, cancelEmailChange)
export const closeAccountAction = userAction(CloseAccountInput, closeAccount)
export const checkExportAction = userRead(ExportInput, checkExport)
export const deleteUserAction = userAction(DeleteUserInput, deleteUser)
