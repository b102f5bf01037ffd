import { expect, it } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { CreateEndpointInput } from "@/lib/shared/webhooks/schema"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { createEndpoint, listEndpoints } from "./endpoints"

await testRuntime()

it.each([
  "http://hooks.example.com/",
  "https://user:pass@hooks.example.com/",
  "https://localhost/",
  "https://hooks.example.com/#a",
  "ftp://a.example",
  "https://hooks.localhost/",
  "https://localhost./",
  "https://hooks.example.com:22/",
  "https://hooks.example.com:80/",
  "https://hooks.example.com:1023/",
  "https://hooks.example.com:0/",
])("an endpoint's address is not %s", (url) => {
  const { error } = CreateEndpointInput.safeParse({ url, events: ["balance.low"] })
  expect(error?.issues).toMatchObject([{ path: ["url"] }])
})

it.each([
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://0177.0.0.1./",
  "https://10.1.2.3:8443/",
  "https://192.168.1.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://[fd12:3456::1]/",
  "https://[fe80::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://192.0.2.7/",
  "https://168.63.129.16/",
  "https://[::ffff:168.63.129.16]/",
  "https://100.100.100.200/",
  "https://192.0.0.192/",
  "https://[fd00:ec2::254]/",
])("an endpoint is refused at %s", async (url) => {
  const create = createEndpoint(runtime(), await signUp(), { url, events: ["balance.low"] })
  await expect(create).rejects.toMatchObject({ code: "invalid_request", param: "url" })
})

it.each(["https://8.8.8.8/", "https://[2606:4700::1111]/", "https://8.8.8.8:1024/", "https://8.8.8.8:8443/"])(
  "an endpoint is accepted at the public address %s",
  async (url) => {
    const actor = await signUp()
    await createEndpoint(runtime(), actor, { url, events: ["balance.low"] })
    expect(await listEndpoints(runtime(), actor)).toMatchObject([{ url }])
  },
)
