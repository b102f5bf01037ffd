import fs from "node:fs"

const FLUSH_MS = 250
const RETRY_MS = 100
const FLUSH_CHARACTERS = 8_192
/** The largest write. An exit may lose what a thread is writing. */
const WRITE_BYTES = 65_536
const KEPT_CHARACTERS = 4_000_000
const EXIT_MS = 1_000

const isBusy = (error: unknown) => error instanceof Error && "code" in error && error.code === "EAGAIN"

/**
 * Writes lines to a file descriptor without blocking the caller. Buffers up to 8 KiB or 250 ms, because one write per line takes
 * longer than checking a request. When a write fails, such as on a full disk, it tries again every 100 ms. Meanwhile it keeps
 * 4 million characters, drops further lines, and reports how many once it can write again. At exit it flushes for at most 1 s.
 * Pino's own destination (sonic-boom 4) retries at exit without end, so a full disk would keep the process from ending.
 */
export class LineWriter {
  #waiting = ""
  /** What was taken from `#waiting` and is not written yet. */
  #rest: Buffer = Buffer.alloc(0)
  #isWriting = false
  #isFailing = false
  #timer: NodeJS.Timeout | undefined
  #dropped = 0
  /** Returns the line that reports how many lines were dropped. */
  makeReport: (dropped: number) => string = () => ""

  constructor(private readonly fd: number) {
    process.on("exit", () => this.#flushAtExit())
  }

  write(line: string): void {
    if (this.#rest.length + this.#waiting.length + line.length > KEPT_CHARACTERS) {
      this.#dropped++
      return
    }
    this.#waiting += line
    if (this.#waiting.length < FLUSH_CHARACTERS || this.#isFailing) this.#flushLater()
    else this.#flush()
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), this.#isFailing ? RETRY_MS : FLUSH_MS).unref()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isWriting) return
    this.#takeWaiting()
    this.#isWriting = true
    fs.write(this.fd, this.#rest, 0, Math.min(this.#rest.length, WRITE_BYTES), null, (error, written) => {
      this.#isWriting = false
      this.#isFailing = error !== null
      if (!error) this.#rest = this.#rest.subarray(written)
      if (!error && this.#rest.length === 0) this.#reportDropped()
      if (!error && (this.#rest.length > 0 || this.#waiting.length >= FLUSH_CHARACTERS)) this.#flush()
      else if (this.#rest.length > 0 || this.#waiting) this.#flushLater()
    })
  }

  #takeWaiting(): void {
    if (this.#rest.length > 0) return
    this.#rest = Buffer.from(this.#waiting)
    this.#waiting = ""
  }

  /** Appends the report to the lines that were kept. It may exceed their limit, which would drop it too. */
  #reportDropped(): void {
    if (this.#dropped === 0) return
    this.#waiting += this.makeReport(this.#dropped)
    this.#dropped = 0
  }

  /** Retries a busy pipe for 1 s and gives up at any other error, because waiting for disk space would keep the process from ending. */
  #flushAtExit(): void {
    this.#reportDropped()
    // A thread still writes the first part.
    let rest = this.#isWriting ? this.#rest.subarray(WRITE_BYTES) : this.#rest
    rest = Buffer.concat([rest, Buffer.from(this.#waiting)])
    const until = performance.now() + EXIT_MS
    while (rest.length > 0) {
      try {
        rest = rest.subarray(fs.writeSync(this.fd, rest))
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      }
    }
  }
}
