/**
 * Runs clients that post 28 MiB bodies sequentially for some time, at least one each. Arguments: port, key, clients,
 * milliseconds, shapes. Prints a line at the start, and the number of responses by status at the end.
 */
import { Connection, postOf } from "./connection"
import { largeBody } from "./large-bodies"

const [port, key, clients, ms, ...shapes] = process.argv.slice(2)
const requests = shapes.map((shape) =>
  postOf("/v1/decisions", Buffer.from(largeBody(shape)), { authorization: `Bearer ${key}` }),
)
const statuses: Record<number, number> = {}

async function client(number: number): Promise<void> {
  const connection = await Connection.open(Number(port))
  for (let i = number; i === number || performance.now() - startedAt < Number(ms); i++) {
    const request = requests[i % requests.length]
    if (!request) throw new Error("the last arguments must name the shapes")
    const status = await connection.send(request)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  connection.close()
}

console.log("posting")
const startedAt = performance.now()
await Promise.all(Array.from({ length: Number(clients) }, (_, number) => client(number)))
console.log(JSON.stringify(statuses))
