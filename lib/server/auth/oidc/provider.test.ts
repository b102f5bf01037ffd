import { expect, test } from "vitest"
import { mergeClaims } from "./provider"

const [own, other] = ["ada@example.com", "eve@example.com"]
const said = (email?: string, email_verified?: boolean) => ({ email, email_verified })

test.each([
  ["both are in the token", said(own, true), said(other, false), said(own, true)],
  ["both are in userinfo only", said(), said(own, true), said(own, true)],
  ["userinfo verifies the token's address", said(own), said(own, true), said(own, true)],
  ["userinfo verifies another address", said(own), said(other, true), said(own)],
  ["the token verifies no address", said(undefined, true), said(own), said(own)],
  ["the token's address is not verified", said(own, false), said(own, true), said(own, false)],
])("an address is verified only by the source that names it: %s", (_case, token, userinfo, expected) => {
  expect(mergeClaims({ sub: "ada", ...token }, userinfo)).toEqual({ sub: "ada", ...expected })
})
