import { noul, TypeSafeClient } from "@typesafe-ai/sdk"

// Longer than 2 KiB.
const state = `Please refund me. ${"The parcel is late. ".repeat(120)}`
const questions = { refund: noul("Does the customer ask for a refund?") }
const { answers } = await new TypeSafeClient().systemOne({ state, questions })
process.stdout.write(answers.refund.noul.toFixed(2))
