// Stands in for an API worker. It blocks its event loop for ever when it is asked to drain.
process.on("message", ({ type }) => {
  if (type === "start") process.send({ type: "ready" })
  else if (type === "ping") process.send({ type: "pong" })
  else if (type === "drain") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  else if (type === "stop") process.exit()
})
process.send({ type: "loaded" })
