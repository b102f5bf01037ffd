import { zstdCompressSync } from "node:zlib"
import { noul, TypeSafeClient } from "@typesafe-ai/sdk"

const compressed = (url, { headers, body, ...rest }) =>
  fetch(url, { ...rest, headers: { ...headers, "content-encoding": "zstd" }, body: zstdCompressSync(body) })

// Longer than 2 KiB.
const state = `Please refund me. ${"The parcel is late. ".repeat(120)}`
const questions = { refund: noul("Does the customer ask for a refund?") }
const { answers } = await new TypeSafeClient({ fetch: compressed }).systemOne({ state, questions })
process.stdout.write(answers.refund.noul.toFixed(2))
