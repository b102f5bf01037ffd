import { operate } from "./command-line"
import { withRuntime } from "./with-runtime"

const terminal = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
}

process.exitCode = await operate(process.argv.slice(2), terminal, withRuntime)
