"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { resendMail } from "@/lib/server/mail/mail-queue"
import { OneMail } from "@/lib/shared/operator/forms"

export const resendMailAction = operatorAction(OneMail, resendMail)
