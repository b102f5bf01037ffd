// Stands in for the console's process. Its pages say what they received, or behave as their path says.
import { createServer } from "node:http"

let engines = []
/** The number of endless responses that are open. */
let endless = 0
let pings = 0

function respond(request, response) {
  const { url, method, headers } = request
  if (url === "/exit") process.exit(3)
  if (url === "/silent") return
  if (url === "/sign-in") {
    process.send({ type: "signIn", event: "sign_in.link_sent" })
    process.send({ type: "mail", outcome: "failed" })
  }
  if (url === "/half") {
    response.writeHead(200, { "content-length": 100 })
    return response.write("half", () => setTimeout(() => process.exit(3), 50))
  }
  if (url === "/hang") {
    // Blocks the event loop for ever, without using the processor.
    return response.write("a", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
  }
  if (url === "/endless") {
    endless++
    response.once("close", () => endless--)
    return response.write("a")
  }
  const chunks = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    response.setHeader("set-cookie", ["a=1", "b=2"])
    response.setHeader("x-pid", process.pid)
    response.end(
      JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString(), engines, endless, pings }),
    )
  })
}

process.on("message", (message) => {
  if (message.type === "engines") engines = message.engines
  else if (message.type === "ping") {
    pings++
    process.send({ type: "pong" })
  } else if (message.root === "broken") process.send({ type: "failed", reason: "there is no build" })
  else createServer(respond).listen(message.socketPath, () => process.send({ type: "ready" }))
})
process.on("disconnect", () => process.exit())
